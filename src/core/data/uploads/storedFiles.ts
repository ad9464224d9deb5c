import { type CaptureFilter, everyCapture } from '../../model/captureFilter';
import type { PartId } from '../../model/ids';
import type { BinaryItem } from '../../model/binaryItem';
import type { BinaryDataStore } from '../../stores/binaryDataStore';
import type { FileSource } from './fileSource';
import { uploadName } from './uploadName';

/** Items of a page. */
const PAGE_ITEMS = 5_000;
/** Calls for one comparison. */
const MAX_PAGES = 5;

interface Comparison {
  readonly binaryData: Pick<BinaryDataStore, 'page'>;
  readonly part: PartId;
  readonly signal: AbortSignal;
}

/**
 * Returns the files that a part has already, as far as their names and sizes tell. Each stored item stands for
 * one file, one with the same time first. Reads at most five pages: all items of a part that has few, else those
 * from the time of the files. Throws `FleetError`.
 */
export async function findStoredFiles(
  files: readonly FileSource[],
  comparison: Comparison,
): Promise<ReadonlySet<FileSource>> {
  const timesByKey = new Map<string, number[]>();
  for (const item of await readItems(files, comparison)) {
    const key = keyOf(fullName(item), item.sizeBytes);
    const times = timesByKey.get(key);
    if (times) times.push(item.at);
    else timesByKey.set(key, [item.at]);
  }
  const stored = new Set<FileSource>();
  const take = (file: FileSource, isSame: (at: number) => boolean): void => {
    const { fileName, fileExtension } = uploadName(file.path);
    const times = timesByKey.get(keyOf(fileName + fileExtension, file.size));
    const index = times?.findIndex(isSame) ?? -1;
    if (index < 0) return;
    times?.splice(index, 1);
    stored.add(file);
  };
  for (const file of files) take(file, (at) => at === timeOf(file));
  for (const file of files) if (!stored.has(file)) take(file, () => true);
  return stored;
}

async function readItems(
  files: readonly FileSource[],
  { binaryData, part, signal }: Comparison,
): Promise<readonly BinaryItem[]> {
  const ofPart: CaptureFilter = { ...everyCapture, partId: part };
  const request = { order: 'newestFirst', limit: PAGE_ITEMS } as const;
  const first = await binaryData.page({ ...request, filter: ofPart }, signal);
  if (first.items.length >= first.total.count) return first.items;
  const filter = { ...ofPart, ...spanOf(files) };
  const items: BinaryItem[] = [];
  let after: string | undefined;
  for (let page = 1; page < MAX_PAGES && after !== ''; page += 1) {
    const next = await binaryData.page({ ...request, filter, ...(after && { after }) }, signal);
    for (const item of next.items) items.push(item);
    after = next.last;
  }
  return items;
}

/** The times of files; nothing where one has none, which a service stores with the time of its upload. */
function spanOf(files: readonly FileSource[]): Pick<CaptureFilter, 'start' | 'end'> {
  const times = files.flatMap(({ createdAt, modifiedAt }) =>
    [createdAt, modifiedAt].filter((time) => time !== undefined),
  );
  if (files.some((file) => timeOf(file) === undefined)) return {};
  const start = times.reduce((least, time) => Math.min(least, time));
  return { start, end: times.reduce((most, time) => Math.max(most, time)) + 1 };
}

/** When a service says that a file was captured. */
function timeOf({ createdAt, modifiedAt }: FileSource): number | undefined {
  return createdAt ?? modifiedAt;
}

/** Some services keep the extension in the name as well. */
function fullName({ fileName, fileExtension }: BinaryItem): string {
  const isThere = fileName.toLowerCase().endsWith(fileExtension.toLowerCase());
  return isThere && fileName !== fileExtension ? fileName : fileName + fileExtension;
}

function keyOf(name: string, size: number): string {
  return `${size} ${name.normalize('NFC').toLowerCase()}`;
}
