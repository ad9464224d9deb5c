import { canceled } from '../../api/errors';
import type { BinaryItem } from '../../model/binaryItem';
import { datasetFilter } from '../../model/captureFilter';
import type { DatasetTarget } from '../../model/resourceTarget';
import type { BinaryDataStore } from '../../stores/binaryDataStore';
import { pagesOf } from '../actions/targetPages';
import { type DatasetReadiness, ReadinessTally } from './datasetReadiness';

export interface ReadOptions {
  readonly signal: AbortSignal;
  /** How many items were read, of those that there were at first. */
  readonly onProgress?: (done: number, of: number) => void;
}

/**
 * All items of a dataset, page by page, without contents.
 * @throws FleetError; `canceled` when the signal aborts.
 */
export async function* itemsOfDataset(
  store: BinaryDataStore,
  { organizationId, datasetId }: Pick<DatasetTarget, 'organizationId' | 'datasetId'>,
  { signal, onProgress }: ReadOptions,
): AsyncGenerator<readonly BinaryItem[]> {
  const filter = datasetFilter(organizationId, datasetId);
  const { count } = await store.count(filter, signal);
  let done = 0;
  for await (const { items } of pagesOf(store, { kind: 'filter', filter, count }, false, signal)) {
    yield items;
    done += items.length;
    // Items that came in the meantime are no more than all.
    onProgress?.(done, Math.max(done, count));
  }
  if (signal.aborted) throw canceled();
}

/** Finds out whether a dataset is fit to be trained on. Throws as `itemsOfDataset`. */
export async function readReadiness(
  store: BinaryDataStore,
  dataset: Pick<DatasetTarget, 'organizationId' | 'datasetId'>,
  options: ReadOptions,
): Promise<DatasetReadiness> {
  const tally = new ReadinessTally();
  for await (const items of itemsOfDataset(store, dataset, options)) {
    for (const item of items) tally.add(item);
  }
  return tally.result();
}
