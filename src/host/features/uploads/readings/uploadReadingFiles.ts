import * as vscode from 'vscode';
import { canceled, FleetError } from '../../../../core/api/errors';
import { oneByOne } from '../../../../core/bulk/bulkRun';
import type { FileSource } from '../../../../core/data/uploads/fileSource';
import { openReadings } from '../../../../core/data/uploads/readings/openReadings';
import type { ReadingsLayout, TimeChoice } from '../../../../core/data/uploads/readings/readingRow';
import { uploadName } from '../../../../core/stores/uploadStore';
import { toDisplayText } from '../../../../core/model/displayText';
import type { PartTarget } from '../../../../core/model/resourceTarget';
import { trackProgress } from '../../../platform/commands/progress';
import { getClickedPart, getSelectedUris, search, type UploadArguments } from '../uploadFiles';
import { formatPart, rememberPart, uploadPart, type UploadTools } from '../uploadPart';
import { configureReadings, inspected, nothingToStore } from './configureReadings';
import {
  createPlan,
  DEFAULT_METHOD,
  DEFAULT_TYPE,
  formatLine,
  formatRowProblem,
  noTimeError,
  readingsCount,
  type ReadingsSettings,
  toUserError,
} from './readingsText';
import {
  type FailedBatch,
  type ReadingsOutcome,
  type ReadingsPlan,
  type ReadingsRange,
  uploadReadings,
} from '../../../../core/data/uploads/readings/uploadReadings';
import type { ReportedProblem } from '../../../platform/commands/bulkReports';
import { formatNumber } from '../../../platform/text/displayText';

const EXTENSIONS = ['csv', 'tsv', 'ndjson', 'jsonl'];

/** Imports table and JSON Lines files as readings, one file at a time. Throws `canceled`. */
export async function uploadReadingFiles(tools: UploadTools, args: UploadArguments): Promise<void> {
  const chosen = getSelectedUris(args);
  const uris = chosen.length > 0 ? chosen : await pickFiles();
  const part = await uploadPart(tools, { target: getClickedPart(args) });
  const { files, skipped } = await search(uris);
  const [first] = skipped;
  if (files.length === 0 && first) {
    throw new FleetError('notFound', `${first.name}: ${first.reason}`);
  }
  await oneByOne(files, (file) => uploadOne(tools, file, part));
}

async function uploadOne(tools: UploadTools, source: FileSource, part: PartTarget): Promise<void> {
  const layout = await opened(source);
  const [likeliest] = layout.times;
  if (!likeliest) throw noTimeError(source.path);
  const time: TimeChoice = { column: likeliest[0], form: likeliest[1], zone: 'utc' };
  const settings = await configureReadings(tools, source, layout, {
    part,
    time,
    tags: [],
    component: uploadName(source.path).fileName,
    componentType: DEFAULT_TYPE,
    method: DEFAULT_METHOD,
    inspection: await inspected(source, layout, time),
  });
  if (settings.inspection.readings === 0) throw nothingToStore(source.path);
  await readingsRun(tools, source, layout, settings);
}

function opened(source: FileSource): Promise<ReadingsLayout> {
  if (!EXTENSIONS.some((extension) => source.path.toLowerCase().endsWith(`.${extension}`))) {
    throw new FleetError(
      'invalid',
      vscode.l10n.t(
        '"{0}" is neither a table (.csv, .tsv) nor JSON Lines (.ndjson, .jsonl).',
        toDisplayText(source.path),
      ),
    );
  }
  return trackProgress(vscode.l10n.t('Loading {0}', toDisplayText(source.path)), async (signal) => {
    try {
      return await openReadings(source, signal);
    } catch (error) {
      throw toUserError(error, source.path);
    }
  });
}

async function pickFiles(): Promise<readonly vscode.Uri[]> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Upload Readings'),
    openLabel: vscode.l10n.t('Select'),
    canSelectMany: true,
    filters: { [vscode.l10n.t('Tables and JSON Lines')]: EXTENSIONS },
    ...(folder && { defaultUri: folder.uri }),
  });
  if (!chosen || chosen.length === 0) throw canceled();
  return chosen;
}

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
 * stored readings.
 */
async function readingsRun(
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
  await tools.reports.showReport(
    {
      title,
      done: stored,
      unchanged: 0,
      failed: outcome.failed.map((batch) => failedBatch(batch, settings)),
      skipped: begun.done.size === 0 ? toSkippedProblems(settings) : [],
      notStarted: outcome.notStarted.map((range) => ({
        name: formatRange(range, settings),
        count: range.count,
      })),
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

/** Formats the lines of readings, and their component if the file contains several. */
function formatRange(
  { firstLine, lastLine, count, component }: ReadingsRange,
  settings: ReadingsSettings,
): string {
  const lines = [formatNumber(firstLine), formatNumber(lastLine), readingsCount(count)] as const;
  return component === settings.component
    ? vscode.l10n.t('Lines {0} to {1} ({2})', ...lines)
    : vscode.l10n.t('Lines {0} to {1}: {2} of "{3}"', ...lines, toDisplayText(component));
}

function failedBatch(batch: FailedBatch, settings: ReadingsSettings): ReportedProblem {
  const { error, isUncertain } = batch;
  const name = formatRange(batch, settings);
  const uncertain = isUncertain
    ? ` ${vscode.l10n.t("The readings might already be stored. The service didn't confirm this. Check before you retry.")}`
    : '';
  return { name, count: batch.count, reason: `${error.message}${uncertain}` };
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
  const reason = vscode.l10n.t('Only the first problems are listed.');
  return [...named, { name, count: more, reason }];
}
