import * as vscode from 'vscode';
import { type FleetError, toFleetError } from '../../../core/api/errors';
import { type BulkOutcome, runBulk, unfinishedItems } from '../../../core/bulk/bulkRun';
import type { FileSource } from '../../../core/data/uploads/fileSource';
import { toDisplayText } from '../../../core/model/displayText';
import type { BinaryDataId } from '../../../core/model/ids';
import { createReport, type ReportedProblem } from '../../platform/commands/bulkReports';
import { trackProgress } from '../../platform/commands/progress';
import { formatBytes, formatNumber } from '../../platform/text/displayText';
import { datasetNames, type FileSettings, formatSettings, formatUpload } from './fileSettings';
import { rememberPart, type UploadTools } from './uploadPart';

const CONCURRENT_FILES = 4;
/**
 * Minimum time in milliseconds between progress reports. Without this limit, progress would be
 * reported for every chunk of 64 KiB.
 */
const MS_BETWEEN_REPORTS = 100;
/**
 * Number of consecutive connection failures after which the remaining uploads would probably fail
 * as well.
 */
const LOST_IN_A_ROW = 8;
const LOSING: ReadonlySet<FleetError['kind']> = new Set([
  'unavailable',
  'unauthenticated',
  'permission',
]);

/**
 * Uploads files and reports the result for each file. The user can retry failed uploads from the
 * report.
 */
export async function uploadRun(
  tools: UploadTools,
  files: readonly FileSource[],
  settings: FileSettings,
  skipped: readonly ReportedProblem[],
): Promise<void> {
  const { part } = settings;
  const title = formatUpload(files, part);
  const stores = tools.sessions.stores(part.connectionId);
  await rememberPart(tools, part);
  const stored: BinaryDataId[] = [];
  const outcomes = await trackProgress(title, (signal, report) =>
    sendAll(tools, files, settings, { signal, report, stored }),
  );
  if (stored.length > 0) stores.binaryData.uploaded(stored);
  const rest = unfinishedItems(outcomes);
  const details = formatSettings(settings, await datasetNames(tools, part));
  await tools.reports.showReport(
    {
      ...createReport(title, outcomes, ({ path }) => toDisplayText(path)),
      ...(details !== '' && { details }),
      skipped,
    },
    { retry: rest.length > 0 ? () => uploadRun(tools, rest, settings, []) : undefined },
  );
}

interface Sending {
  readonly signal: AbortSignal;
  readonly report: (message: string) => void;
  readonly stored: BinaryDataId[];
}

async function sendAll(
  { sessions }: UploadTools,
  files: readonly FileSource[],
  { part, tags, datasets, component }: FileSettings,
  { signal, report, stored }: Sending,
): Promise<readonly BulkOutcome<FileSource>[]> {
  const { uploads } = sessions.stores(part.connectionId);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const lost = new AbortController();
  const either = AbortSignal.any([signal, lost.signal]);
  const origin = {
    partId: part.partId,
    componentName: component,
    componentType: '',
    method: '',
  };
  let [sent, finished, lostInARow, reported] = [0, 0, 0, 0];
  const reportProgress = (): void => {
    const now = Date.now();
    if (now - reported < MS_BETWEEN_REPORTS) return;
    reported = now;
    report(formatProgress({ finished, sent }, { finished: files.length, sent: total }));
  };
  const send = async (file: FileSource): Promise<void> => {
    let own = 0;
    const onSent = (bytes: number): void => {
      [own, sent] = [own + bytes, sent + bytes];
      reportProgress();
    };
    try {
      const upload = { ...file, origin, tags, datasets };
      stored.push(await uploads.file(upload, { signal: either, onSent }));
      lostInARow = 0;
    } catch (error) {
      sent -= own;
      lostInARow = LOSING.has(toFleetError(error).kind) ? lostInARow + 1 : 0;
      if (lostInARow >= LOST_IN_A_ROW) lost.abort();
      throw error;
    }
  };
  return runBulk(files, send, {
    limit: CONCURRENT_FILES,
    signal: either,
    onProgress: (count) => {
      finished = count;
      reportProgress();
    },
  });
}

interface Reached {
  readonly finished: number;
  readonly sent: number;
}

function formatProgress(reached: Reached, of: Reached): string {
  return vscode.l10n.t(
    '{0} of {1} files, {2} of {3}',
    formatNumber(reached.finished),
    formatNumber(of.finished),
    formatBytes(reached.sent),
    formatBytes(of.sent),
  );
}
