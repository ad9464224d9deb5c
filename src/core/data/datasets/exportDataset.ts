import type { FleetError } from '../../api/errors';
import type { BinaryItem } from '../../model/binaryItem';
import { exportLine } from '../../model/exportLine';
import type { DatasetTarget } from '../../model/resourceTarget';
import type { BinaryDataStore } from '../../stores/binaryDataStore';
import type { ExportFile } from '../export/recordWriter';
import { readDatasetItems } from './datasetReadiness';

/** Folder for contents; the same name as in downloads and in exports from the public service. */
const CONTENT_FOLDER = 'data';

/** Result of fetching an item's content: the file name, or the reason for the failure. */
export type FetchedContent =
  | { readonly item: BinaryItem; readonly state: 'done'; readonly name: string }
  | { readonly item: BinaryItem; readonly state: 'failed'; readonly error: FleetError }
  | { readonly item: BinaryItem; readonly state: 'notStarted' };

export type FailedContent = Extract<FetchedContent, { readonly state: 'failed' }>;

export interface DatasetExport {
  readonly dataset: Pick<DatasetTarget, 'organizationId' | 'datasetId'>;
  /**
   * Fetches contents into the content folder and continues if individual items fail. The results
   * are in item order.
   */
  readonly fetch: (items: readonly BinaryItem[]) => Promise<readonly FetchedContent[]>;
  /** Receives the lines of `dataset.jsonl`. */
  readonly lines: Pick<ExportFile, 'write'>;
  readonly signal: AbortSignal;
}

export interface ExportOutcome {
  /** Number of items with a line in the file. The contents of all of these items were fetched. */
  readonly exported: number;
  /**
   * Items without a line in the file, because missing content would make a training script fail.
   */
  readonly failed: readonly FailedContent[];
}

/**
 * Exports a dataset: its items' contents, and a line for each item.
 * @throws FleetError when the items can't be listed; `canceled` when the signal aborts; errors from
 *   `lines`.
 */
export async function exportDataset(
  store: BinaryDataStore,
  { dataset, fetch, lines, signal }: DatasetExport,
): Promise<ExportOutcome> {
  const encoder = new TextEncoder();
  const failed: FailedContent[] = [];
  let exported = 0;
  for await (const items of readDatasetItems(store, dataset, { signal })) {
    const fetched = await fetch(items);
    const written = fetched.filter((one) => one.state === 'done');
    failed.push(...fetched.filter((one) => one.state === 'failed'));
    exported += written.length;
    const text = written.map(
      ({ item, name }) => `${exportLine(item, `${CONTENT_FOLDER}/${name}`)}\n`,
    );
    await lines.write(encoder.encode(text.join('')));
  }
  return { exported, failed };
}
