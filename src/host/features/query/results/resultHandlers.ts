import * as vscode from 'vscode';
import { homedir } from 'node:os';
import { FleetError, toFleetError } from '../../../../core/api/errors';
import type { QueryRun } from '../../../../core/query/queryRun';
import type { SpoolFactory } from '../../../../core/query/results/rowStore';
import type { HostHandlers } from '../../../../shared/protocol';
import type { CopyResult, ResultProtocol, ResultView } from '../../../../shared/query/results';
import { CLIPBOARD, copyCell, copyTable } from '../../../platform/webview/copyTable';
import { getValueLabels } from '../../../platform/text/tableStrings';
import { promptAndExportResult } from './exportResult';
import {
  columnsFrom,
  columnTypes,
  copiedColumn,
  nodesAt,
  profiledColumns,
  readDocuments,
  readFullText,
  readRowChunks,
  readValue,
  rowsView,
  shownChart,
  shownRow,
} from './viewedRows';
import { showStatusMessage } from '../../../platform/commands/statusMessage';

/** Maximum number of rows per request; no screen shows more. */
const MAX_ROWS = 500;
/** Maximum length of text that a page can display without delay. */
const MAX_TEXT_LENGTH = 500_000;

export interface ResultTools {
  /** Returns the run of a cached result. */
  readonly run: (result: string) => QueryRun | undefined;
  /** Temporary storage for rows while a file is being written. */
  readonly spools: SpoolFactory;
  /** Runs a problem's recovery action, such as signing in. */
  readonly act: (action: string) => unknown;
}

/** Returns the handlers for messages about query results, for any page that shows them. */
export function resultHandlers({
  run: find,
  spools,
  act,
}: ResultTools): HostHandlers<ResultProtocol> {
  const labels = getValueLabels();
  const getRun = ({ result }: { readonly result: string }): QueryRun => {
    const run = find(result);
    if (run) return run;
    const message = vscode.l10n.t('This result is no longer available. Run the query again.');
    throw new FleetError('notFound', message);
  };
  const exportAll = (view: ResultView): Promise<void> => {
    const run = getRun(view);
    const { find = '', filters = [] } = view;
    return promptAndExportResult(run, spools, {
      isFiltered: filters.length > 0,
      isSearched: find !== '',
    });
  };
  return {
    cancelResult: (ref) => find(ref.result)?.cancel(),
    arrangeResult: async (view, signal) => {
      const run = getRun(view);
      return run.views.arrange(rowsView(run, view), signal);
    },
    resultRows: async ({ start, end, columns, ...view }, signal) => {
      const run = getRun(view);
      const { table } = run;
      const chunks = await readRowChunks(run, view, start, Math.min(end, start + MAX_ROWS), signal);
      const rows = chunks.flatMap((chunk) =>
        chunk.starts.map((_, index) => shownRow(table, chunk, index, labels)),
      );
      return { start, rows, columns: columnsFrom(table, columns), types: columnTypes(table) };
    },
    resultText: async (at, signal) => {
      const text = await readFullText(getRun(at), at, signal);
      return { text: text.slice(0, MAX_TEXT_LENGTH), characters: text.length };
    },
    resultNodes: async ({ path, start, end, ...at }, signal) =>
      nodesAt(await readValue(getRun(at), at, signal), path, { start, end }, labels),
    copyResultCell: async (at) => copyCell(await readFullText(getRun(at), at, unending())),
    copyResult: async (copied) => {
      const run = getRun(copied);
      await copyRows(run, copied, () => exportAll(copied));
    },
    exportResult: exportAll,
    profileResult: (ref) => Promise.resolve({ columns: profiledColumns(getRun(ref)) }),
    chartResult: (request, signal) => shownChart(getRun(request), request, signal),
    saveChart: ({ png }) => saveChart(png),
    actOnProblem: ({ action }) => act(action),
  };
}

async function copyRows(
  run: QueryRun,
  { start, end, columns, format, ...view }: CopyResult,
  exportAll: () => Promise<void>,
): Promise<void> {
  const signal = unending();
  const rows = await readDocuments(run, view, start, Math.min(end, start + CLIPBOARD.rows), signal);
  const count = await run.views.count(rowsView(run, view), signal);
  const copied = { rows, columns: columns.map((id) => copiedColumn(run, id)), format };
  await copyTable({ ...copied, requestedRows: Math.min(end, count) - start }, exportAll);
}

/** Returns a signal that never aborts, for operations that the user can't cancel. */
function unending(): AbortSignal {
  return new AbortController().signal;
}

/** First bytes of every PNG file. */
const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/**
 * Saves a chart's image to a file that the user selects.
 * @throws FleetError
 */
async function saveChart(png: ArrayBuffer): Promise<void> {
  const bytes = new Uint8Array(png);
  if (!PNG_SIGNATURE.every((byte, at) => bytes[at] === byte)) {
    throw new FleetError('invalid', vscode.l10n.t('There is no chart image to save.'));
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save Chart'),
    filters: { PNG: ['png'] },
    defaultUri: vscode.Uri.joinPath(folder, 'chart.png'),
  });
  if (!target) return;
  try {
    await vscode.workspace.fs.writeFile(target, bytes);
  } catch (cause) {
    const { kind, message } = toFleetError(cause);
    const text = vscode.l10n.t("Couldn't write the chart. {0}", message);
    throw new FleetError(kind, text, { cause });
  }
  showStatusMessage(vscode.l10n.t('Chart saved'));
}
