import * as vscode from 'vscode';
import type { FileSource } from '../../../../core/data/uploads/fileSource';
import type { ReadingsPlan } from '../../../../core/data/uploads/readings/readingBatches';
import {
  type FailedBatch,
  type ReadingsOutcome,
  uploadReadings,
} from '../../../../core/data/uploads/readings/uploadReadings';
import { toDisplayText } from '../../../../core/model/toDisplayText';
import type { ReportedProblem } from '../../../platform/bulkReport';
import { trackProgress } from '../../../platform/progress';
import { formatNumber } from '../../../platform/quantityText';
import { formatPart, rememberPart } from '../uploadPart';
import type { UploadTools } from '../uploadTools';
import { createPlan, type ReadingsSettings } from './readingsSettings';
import { formatLine, formatRowProblem, readingsCount, toUserError } from './readingsText';
import type { ReadingsLayout } from '../../../../core/data/uploads/readings/readingRow';

/** File that is being uploaded, and its batches that have already been stored. */
interface Run {
  readonly source: FileSource;
  readonly layout: ReadingsLayout;
  readonly settings: ReadingsSettings;
  readonly done: ReadonlySet<number>;
  readonly stored: number;
}

/**
 * Stores the readings and reports the result. The user can retry failed batches without duplicating
 * the stored ones.
 */
export async function readingsRun(
  tools: UploadTools,
  source: FileSource,
  layout: ReadingsLayout,
  settings: ReadingsSettings,
): Promise<void> {
  await rememberPart(tools, settings.part);
  await run(tools, { source, layout, settings, done: new Set(), stored: 0 });
}

async function run(tools: UploadTools, begun: Run): Promise<void> {
  const { source, layout, settings } = begun;
  const { part, inspection } = settings;
  const title = vscode.l10n.t(
    'Upload {0} of "{1}" to {2}',
    readingsCount(inspection.readings),
    toDisplayText(source.path),
    formatPart(part),
  );
  const outcome = await trackProgress(title, (signal, report) =>
    sendAll(tools, createPlan(layout, settings), begun, signal, (stored) =>
      report(`${formatNumber(stored)} / ${formatNumber(inspection.readings)}`),
    ),
  );
  const stored = begun.stored + outcome.stored;
  const missing = inspection.readings - stored;
  const failed = outcome.failed.reduce((sum, { count }) => sum + count, 0);
  await tools.reports.showReport(
    {
      ...{ title, done: stored, unchanged: 0 },
      ...(outcome.stoppedAt !== undefined && { details: formatStopped(outcome.stoppedAt) }),
      failed: outcome.failed.map(failedBatch),
      skipped: begun.done.size === 0 ? toSkippedProblems(settings) : [],
      notStarted: Math.max(0, missing - failed),
    },
    { retry: missing > 0 ? () => run(tools, { ...begun, done: outcome.done, stored }) : undefined },
  );
}

async function sendAll(
  { sessions }: UploadTools,
  plan: ReadingsPlan,
  { source, settings, done, stored }: Run,
  signal: AbortSignal,
  report: (stored: number) => void,
): Promise<ReadingsOutcome> {
  const { uploads, readings } = sessions.stores(settings.part.connectionId);
  let now = 0;
  try {
    const onProgress = (more: number): void => {
      now = more;
      report(stored + more);
    };
    return await uploadReadings(uploads, plan, { signal, done, onProgress });
  } catch (error) {
    throw toUserError(error, source.path);
  } finally {
    if (now > 0) readings.uploaded();
  }
}

function failedBatch({
  firstLine,
  lastLine,
  count,
  error,
  isUncertain,
}: FailedBatch): ReportedProblem {
  const name = vscode.l10n.t(
    'Lines {0} to {1} ({2})',
    formatNumber(firstLine),
    formatNumber(lastLine),
    readingsCount(count),
  );
  const uncertain = isUncertain
    ? ` ${vscode.l10n.t("The readings might already be stored. The service didn't confirm this. Check before you retry.")}`
    : '';
  return { name, reason: `${error.message}${uncertain}` };
}

function formatStopped(line: number): string {
  return vscode.l10n.t('Lines from {0} onward were not sent.', formatNumber(line));
}

function toSkippedProblems({ inspection }: ReadingsSettings): readonly ReportedProblem[] {
  const { count, first } = inspection.problems;
  const named = first.map((problem) => ({
    name: formatLine(problem.line),
    reason: formatRowProblem(problem),
  }));
  const more = count - first.length;
  if (more === 0) return named;
  const name = vscode.l10n.t('… and {0} more', formatNumber(more));
  return [...named, { name, reason: vscode.l10n.t('Only the first problems are listed.') }];
}
