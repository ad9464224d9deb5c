import { canceled } from '../../api/errors';
import type { BinaryItem } from '../../model/binaryItem';
import { datasetFilter } from '../../model/captureFilter';
import type { DatasetTarget } from '../../model/resourceTarget';
import type { BinaryDataStore } from '../../stores/binaryDataStore';
import { readTargetPages } from '../actions/targetPages';
import { type DatasetReadiness, ReadinessTally } from './datasetReadiness';

export interface ReadOptions {
  readonly signal: AbortSignal;
  /** Called with the number of items read and the total. */
  readonly onProgress?: (done: number, of: number) => void;
}

/**
 * Yields all items of a dataset, page by page, without their contents.
 * @throws FleetError; `canceled` when the signal aborts.
 */
export async function* readDatasetItems(
  store: BinaryDataStore,
  { organizationId, datasetId }: Pick<DatasetTarget, 'organizationId' | 'datasetId'>,
  { signal, onProgress }: ReadOptions,
): AsyncGenerator<readonly BinaryItem[]> {
  const filter = datasetFilter(organizationId, datasetId);
  const { count } = await store.count(filter, signal);
  let done = 0;
  for await (const { items } of readTargetPages(
    store,
    { kind: 'filter', filter, count },
    false,
    signal,
  )) {
    yield items;
    done += items.length;
    // Raises the total if items were added during the read.
    onProgress?.(done, Math.max(done, count));
  }
  if (signal.aborted) throw canceled();
}

/** Determines if a dataset is ready for training. Throws the same errors as `readDatasetItems`. */
export async function readReadiness(
  store: BinaryDataStore,
  dataset: Pick<DatasetTarget, 'organizationId' | 'datasetId'>,
  options: ReadOptions,
): Promise<DatasetReadiness> {
  const tally = new ReadinessTally();
  for await (const items of readDatasetItems(store, dataset, options)) {
    for (const item of items) tally.add(item);
  }
  return tally.result();
}
