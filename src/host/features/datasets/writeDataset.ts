import { join } from 'node:path';
import { abandonAfterAbort } from '../../../base/abandonAfterAbort';
import {
  exportDataset,
  type ExportOutcome,
  type FetchedContent,
} from '../../../core/data/datasets/exportDataset';
import {
  type DownloadOutcome,
  type DownloadProgress,
  Downloads,
} from '../../../core/data/download/downloads';
import type { Localizer } from '../../../base/localizer';
import type { DatasetTarget } from '../../../core/model/resourceTarget';
import type { Sleep } from '../../../core/ports';
import type { BinaryDataStore } from '../../../core/stores/binaryDataStore';
import { type DescribeFolderError, NodeDownloadFolder } from '../../platform/files/downloadFolder';
import { PartialFile } from '../../../files/partialFile';

/** File with one line per item. */
export const LINES_FILE = 'dataset.jsonl';

export interface WriteOptions {
  readonly describeError: DescribeFolderError;
  readonly sleep: Sleep;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: DownloadProgress) => void;
  /** Translates error messages. */
  readonly l10n?: Localizer;
}

/**
 * Exports a dataset to a folder on this computer, which is created if necessary. Writes
 * `dataset.jsonl`, and stores contents in the same way as downloads. Doesn't download contents
 * again that an earlier export has stored. Replaces `dataset.jsonl` only when the export is
 * complete.
 * @throws FleetError, `canceled` when the signal aborts; the signal's reason if the folder doesn't
 *   respond after that; file system errors.
 */
export function writeDataset(
  store: BinaryDataStore,
  dataset: DatasetTarget,
  path: string,
  options: WriteOptions,
): Promise<ExportOutcome> {
  return abandonAfterAbort(writeTo(store, dataset, path, options), options);
}

async function writeTo(
  store: BinaryDataStore,
  dataset: DatasetTarget,
  path: string,
  { describeError, ...options }: WriteOptions,
): Promise<ExportOutcome> {
  const folder = await NodeDownloadFolder.open(path, describeError);
  const downloads = new Downloads({ ...options, store, folder, random: Math.random });
  const lines = await PartialFile.create(join(path, LINES_FILE));
  try {
    const outcome = await exportDataset(store, {
      dataset,
      lines,
      signal: options.signal,
      fetch: async (items) => {
        const outcomes = await downloads.fetch(items);
        if (downloads.broken) throw downloads.broken;
        return outcomes.map(fetched);
      },
    });
    await lines.finish();
    return outcome;
  } catch (error) {
    await lines.discard();
    throw error;
  }
}

function fetched(outcome: DownloadOutcome): FetchedContent {
  const { item, name } = outcome;
  if (outcome.state === 'failed') return { item, state: 'failed', error: outcome.error };
  return outcome.state === 'done' && name !== undefined
    ? { item, state: 'done', name }
    : { item, state: 'notStarted' };
}
