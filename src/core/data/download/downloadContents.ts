import { FleetError } from '../../api/errors';
import { type BulkOutcome, runBulk } from '../../bulk/bulkRun';
import type { BinaryItem } from '../../model/binaryItem';
import type { BinaryDataStore } from '../../stores/binaryDataStore';
import type { ContentFolder } from './contentFolder';
import { contentName } from './contentName';

/** Contents that are read at the same time. */
const CONCURRENT_CONTENTS = 6;

export interface DownloadOptions {
  readonly folder: ContentFolder;
  /** Once it aborts nothing new is begun, and what runs is left for a later try to go on with. */
  readonly signal: AbortSignal;
  /** Called after each item with the number of those that are through. */
  readonly onProgress?: (through: number) => void;
}

/**
 * Downloads the contents of items to files named by `contentName`, few at a time, whatever becomes of
 * single ones. What an earlier download has finished is not read again, and what it began is gone on with.
 * @returns one outcome for each item, in the order of the items.
 */
export function downloadContents(
  store: BinaryDataStore,
  items: readonly BinaryItem[],
  { folder, signal, onProgress }: DownloadOptions,
): Promise<readonly BulkOutcome<BinaryItem>[]> {
  return runBulk(items, (item) => downloadContent(store, item, folder, signal), {
    limit: CONCURRENT_CONTENTS,
    signal,
    ...(onProgress && { onProgress }),
  });
}

async function downloadContent(
  store: BinaryDataStore,
  item: BinaryItem,
  folder: ContentFolder,
  signal: AbortSignal,
): Promise<void> {
  const name = contentName(item);
  if (await folder.has(name)) return;
  const file = await folder.open(name);
  try {
    const { start, size, version, chunks } = await store.content(item, { signal, from: file.mark });
    await file.begin(start, version);
    let at = start;
    for await (const chunk of chunks) {
      await file.write(chunk);
      at += chunk.length;
    }
    if (size !== undefined && at !== size) throw cutShort(at, size);
  } catch (error) {
    await file.leave();
    throw error;
  }
  await file.finish();
}

function cutShort(at: number, size: number): FleetError {
  const message = `The content ended after ${at} of ${size} bytes. Try again.`;
  return new FleetError('unavailable', message);
}
