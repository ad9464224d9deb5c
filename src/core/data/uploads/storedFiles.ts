import { type CaptureFilter, everyCapture } from '../../model/captureFilter';
import type { PartId } from '../../model/ids';
import type { BinaryItem } from '../../model/binaryItem';
import type { BinaryDataStore } from '../../stores/binaryDataStore';
import type { FileSource } from './fileSource';
import { uploadName } from '../../stores/uploadStore';

/** Maximum number of items per page. */
const PAGE_ITEMS = 5_000;
/** Maximum number of calls for one comparison, including the count. */
const MAX_CALLS = 6;

interface Comparison {
  readonly binaryData: Pick<BinaryDataStore, 'page'>;
  readonly part: PartId;
  readonly signal: AbortSignal;
}

/**
 * Returns the files that a part already has, by name and size. Each stored item matches one file,
 * preferably one with the same time. Reads at most five pages: all items if the part has only a
 * few, otherwise only the items in the files' time range. Throws `FleetError`.
 */
export async function findStoredFiles(
  files: readonly FileSource[],
  comparison: Comparison,
): Promise<ReadonlySet<FileSource>> {
  const timesByKey = new Map<string, number[]>();
  for (const item of await readItems(files, comparison)) {
    const key = toKey(fullName(item), item.sizeBytes);
    const times = timesByKey.get(key);
    if (times) times.push(item.at);
    else timesByKey.set(key, [item.at]);
  }
  const stored = new Set<FileSource>();
  const take = (file: FileSource, isSame: (at: number) => boolean): void => {
    const { fileName, fileExtension } = uploadName(file.path);
    const times = timesByKey.get(toKey(fileName + fileExtension, file.size));
    const index = times?.findIndex(isSame) ?? -1;
    if (index < 0) return;
    times?.splice(index, 1);
    stored.add(file);
  };
  for (const file of files) take(file, (at) => at === getTime(file));
  for (const file of files) if (!stored.has(file)) take(file, () => true);
  return stored;
}

async function readItems(
  files: readonly FileSource[],
  { binaryData, part, signal }: Comparison,
): Promise<readonly BinaryItem[]> {
  const ofPart: CaptureFilter = { ...everyCapture, partId: part };
  const order = 'newestFirst';
  const { total } = await binaryData.page({ order, limit: 1, filter: ofPart }, signal);
  const filter = total.count <= PAGE_ITEMS ? ofPart : { ...ofPart, ...getTimeSpan(files) };
  const items: BinaryItem[] = [];
  let after: string | undefined;
  for (let calls = 1; calls < MAX_CALLS; calls += 1) {
    const request = { order, limit: PAGE_ITEMS, filter, ...(after && { after }) } as const;
    const page = await binaryData.page(request, signal);
    for (const item of page.items) items.push(item);
    after = page.last;
    if (page.items.length === 0 || after === '') break;
  }
  return items;
}

/**
 * Returns the files' time range. Returns no range if a file has no time, because a service stores
 * the file with its upload time.
 */
function getTimeSpan(files: readonly FileSource[]): Pick<CaptureFilter, 'start' | 'end'> {
  const times = files.flatMap(({ createdAt, modifiedAt }) =>
    [createdAt, modifiedAt].filter((time) => time !== undefined),
  );
  if (files.some((file) => getTime(file) === undefined)) return {};
  const start = times.reduce((least, time) => Math.min(least, time));
  return { start, end: times.reduce((latest, time) => Math.max(latest, time)) + 1 };
}

/** Returns the capture time that a service stores for a file. */
function getTime({ createdAt, modifiedAt }: FileSource): number | undefined {
  return createdAt ?? modifiedAt;
}

/**
 * Returns the file name with its extension. Some services also include the extension in the name.
 */
function fullName({ fileName, fileExtension }: BinaryItem): string {
  const isThere = fileName.toLowerCase().endsWith(fileExtension.toLowerCase());
  return isThere && fileName !== fileExtension ? fileName : fileName + fileExtension;
}

function toKey(name: string, size: number): string {
  return `${size} ${name.normalize('NFC').toLowerCase()}`;
}
