import { join } from 'node:path';
import {
  CONTENT_FOLDER,
  type ExportOutcome,
  exportDataset,
  type FetchedContent,
} from '../../../../core/data/datasets/exportDataset';
import { contentName } from '../../../../core/data/download/contentName';
import { downloadContents } from '../../../../core/data/download/downloadContents';
import type { DatasetTarget } from '../../../../core/model/resourceTarget';
import type { BinaryDataStore } from '../../../../core/stores/binaryDataStore';
import { DownloadFolder } from '../../../platform/downloadFolder';

/** One line for each item. */
export const LINES_FILE = 'dataset.jsonl';

export interface WriteOptions {
  readonly signal: AbortSignal;
  /** Called with the number of items that are through. */
  readonly onProgress: (through: number) => void;
}

/**
 * Writes a dataset to a folder of this machine, which is made where there is none: `dataset.jsonl`, and
 * the contents in `data`. Contents that an earlier export has left there are not read again; the file of
 * the lines is another one when all is through.
 * @throws FleetError, `cancelled` when the signal aborts; what the file system says.
 */
export async function writeDataset(
  store: BinaryDataStore,
  dataset: DatasetTarget,
  path: string,
  { signal, onProgress }: WriteOptions,
): Promise<ExportOutcome> {
  const contents = await DownloadFolder.at(join(path, CONTENT_FOLDER));
  const lines = await (await DownloadFolder.at(path)).open(LINES_FILE);
  let before = 0;
  try {
    await lines.begin(0, undefined);
    const outcome = await exportDataset(store, {
      dataset,
      lines,
      signal,
      fetch: async (items) => {
        const outcomes = await downloadContents(store, items, {
          folder: contents,
          signal,
          onProgress: (through) => onProgress(before + through),
        });
        before += items.length;
        return outcomes.map((one): FetchedContent => {
          if (one.state === 'failed') return one;
          const { item, state } = one;
          return state === 'done' ? { item, state, name: contentName(item) } : { item, state };
        });
      },
    });
    await lines.finish();
    return outcome;
  } catch (error) {
    await lines.leave();
    throw error;
  }
}
