import type { FleetError } from '../../api/errors';
import type { BinaryItem } from '../../model/binaryItem';
import { exportLine } from '../../model/exportLine';
import type { DatasetTarget } from '../../model/resourceTarget';
import type { BinaryDataStore } from '../../stores/binaryDataStore';
import type { ExportFile } from '../export/exportFile';
import { itemsOfDataset } from './readDataset';

/** Where downloads put contents, and the public service's own export as well. */
const CONTENT_FOLDER = 'data';

/** What became of the content of an item: the name of its file, or why there is none. */
export type FetchedContent =
  | { readonly item: BinaryItem; readonly state: 'done'; readonly name: string }
  | { readonly item: BinaryItem; readonly state: 'failed'; readonly error: FleetError }
  | { readonly item: BinaryItem; readonly state: 'notStarted' };

export type FailedContent = Extract<FetchedContent, { readonly state: 'failed' }>;

export interface DatasetExport {
  readonly dataset: Pick<DatasetTarget, 'organizationId' | 'datasetId'>;
  /** Puts contents into the content folder, whatever becomes of single ones; answers in their order. */
  readonly fetch: (items: readonly BinaryItem[]) => Promise<readonly FetchedContent[]>;
  /** Takes the lines of `dataset.jsonl`. */
  readonly lines: Pick<ExportFile, 'write'>;
  readonly signal: AbortSignal;
}

export interface ExportOutcome {
  /** Items with a line, whose contents are all there. */
  readonly exported: number;
  /** Items without a line: one whose content is missing would stop a training script. */
  readonly failed: readonly FailedContent[];
}

/**
 * Writes a dataset out: the contents of its items, and a line about each.
 * @throws FleetError when the items cannot be listed, `canceled` when the signal aborts; what `lines`
 *   throws.
 */
export async function exportDataset(
  store: BinaryDataStore,
  { dataset, fetch, lines, signal }: DatasetExport,
): Promise<ExportOutcome> {
  const encoder = new TextEncoder();
  const failed: FailedContent[] = [];
  let exported = 0;
  for await (const items of itemsOfDataset(store, dataset, { signal })) {
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
