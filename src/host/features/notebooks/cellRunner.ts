import { toQueryLanguage } from '../../platform/queryLanguage/toQueryLanguage';
import * as vscode from 'vscode';
import { canceled, isCanceled, toFleetError } from '../../../core/api/errors';
import type { Clock } from '../../../core/ports';
import type { QueryLanguage } from '../../../core/model/query';
import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import { fillParameters, listParameters } from '../../../core/query/language/parameters';
import type { QueryRun } from '../../../core/query/queryRun';
import type { QueryRuns } from '../../../core/query/queryRuns';
import type { FleetTools } from '../../platform/fleetTools';
import { requireRight } from '../../platform/permissions/requireRight';
import { readCellMetadata, resolveOrganization } from './notebookMetadata';
import type { CellParameters } from './cellItems';
import type { CellProblems, CellResults, CellRun, LoadResultServices } from './cellResults';
import { notebooks } from '../../../manifest/contributions';
import type { CellResult } from '../../../shared/query/queryNotebook';
import type { HostHandlers } from '../../../shared/protocol';
import type { ResultProtocol, ResultState, ResultStatus } from '../../../shared/query/results';
import { formatNumber } from '../../platform/text/displayText';

/** Executed query, for the history. */
export interface RanQuery {
  readonly target: OrganizationTarget;
  readonly language: QueryLanguage;
  /** Query text as written by the user, without the parameter values. */
  readonly text: string;
  readonly run: QueryRun;
}

export interface CellRunnerOptions extends Pick<FleetTools, 'sessions' | 'pickTarget'> {
  readonly runs: QueryRuns;
  readonly parameters: CellParameters;
  readonly problems: CellProblems;
  readonly results: CellResults;
  readonly services: LoadResultServices;
  readonly clock: Clock;
  /** Called when more rows in a result have been loaded. */
  readonly onDidChange: (cellRun: CellRun) => void;
  readonly onDidRun: (query: RanQuery) => void;
  readonly presentError: (error: unknown) => void;
}

/** Runs a cell's query and shows its result in the cell. */
export class CellRunner {
  constructor(private readonly options: CellRunnerOptions) {}

  /**
   * Starts and ends an execution. The duration includes only the query, not the prompts before it.
   */
  async run(execution: vscode.NotebookCellExecution): Promise<void> {
    const now = (): number => this.options.clock.now().getTime();
    const pending = this.requestRun(execution);
    await pending.catch(() => undefined);
    execution.start(now());
    try {
      const cellRun = await pending;
      if (!cellRun) await execution.clearOutput();
      execution.end(cellRun ? await this.trackRun(execution, cellRun) : true, now());
    } catch (error) {
      execution.end(await this.fail(execution, error), now());
    }
  }

  /** @returns undefined for an empty query. */
  private async requestRun({
    cell,
    token,
  }: vscode.NotebookCellExecution): Promise<CellRun | undefined> {
    const { sessions, parameters, problems, runs, results } = this.options;
    problems.clear(cell);
    const text = cell.document.getText();
    const language = toQueryLanguage(cell.document.languageId);
    if (text.trim() === '' || !language) return undefined;
    const target = await resolveOrganization(cell.notebook, this.options);
    const stores = sessions.stores(target.connectionId);
    await requireRight(stores, target, 'readData');
    const names = listParameters(language, text);
    const values = await parameters.resolveValues(cell.notebook, names, target);
    if (token.isCancellationRequested) throw canceled();
    const filled = fillParameters(language, text, values);
    const recent = language === 'mql' && readCellMetadata(cell.metadata).recent;
    const run = runs.start(
      { organizationId: target.organizationId, language, text: filled.text, recent },
      stores.queries,
    );
    const cellRun = { run, mapOffset: filled.mapOffset };
    results.setRun(cell, cellRun);
    run.onDidChange(() => this.options.onDidChange(cellRun));
    this.options.onDidRun({ target, language, text, run });
    return cellRun;
  }

  /**
   * Reports why a query was not run.
   * @returns undefined if the user canceled.
   */
  private async fail(
    execution: vscode.NotebookCellExecution,
    error: unknown,
  ): Promise<false | undefined> {
    this.options.results.drop(execution.cell);
    if (isCanceled(error)) {
      await execution.clearOutput();
      return undefined;
    }
    const { message, action } = toFleetError(error);
    await execution.replaceOutput(failureOutput(message));
    // The cell output can't offer a recovery action.
    if (action) this.options.presentError(error);
    return false;
  }

  /** @returns true if the query succeeded; undefined if it was stopped. */
  private async trackRun(
    execution: vscode.NotebookCellExecution,
    cellRun: CellRun,
  ): Promise<boolean | undefined> {
    const { run } = cellRun;
    const { services, problems, results } = this.options;
    const stopping = execution.token.onCancellationRequested(() => run.cancel());
    try {
      if (execution.token.isCancellationRequested) run.cancel();
      const running = resultItems(run.id, vscode.l10n.t('The query is running.'));
      const output = new vscode.NotebookCellOutput(running);
      await execution.replaceOutput(output);
      await run.ended;
      const { getStatus, handlers } = await services();
      const text = await formatResult(getStatus(cellRun), handlers, new AbortController().signal);
      await execution.replaceOutputItems(resultItems(run.id, text), output);
    } catch (error) {
      // If the user has cleared the output of a running cell, the cell must not show an error.
      if (results.find(run.id)) throw error;
      return undefined;
    } finally {
      stopping.dispose();
    }
    const { state, problem } = (await services()).getStatus(cellRun);
    if (problem?.start !== undefined) {
      const { start, end = start } = problem;
      problems.show(execution.cell, problem.message, { start, end });
    }
    return state === 'canceled' ? undefined : state !== 'failed';
  }
}

const PLAIN_TEXT = 'text/plain';

/**
 * Returns the output items for a result: the result itself, and a text representation for programs
 * that can't show it, for example when the output is copied.
 */
function resultItems(result: string, text: string): vscode.NotebookCellOutputItem[] {
  const shown: CellResult = { result };
  return [
    vscode.NotebookCellOutputItem.json(shown, notebooks.mimeType),
    vscode.NotebookCellOutputItem.text(text, PLAIN_TEXT),
  ];
}

/** Returns the output for a query that was not run. */
function failureOutput(message: string): vscode.NotebookCellOutput {
  return new vscode.NotebookCellOutput([vscode.NotebookCellOutputItem.stderr(message)]);
}

const MAX_ROWS = 10;
const MAX_COLUMNS = 12;

/**
 * Formats a result as text for programs that can't show it: the number of rows, if known, and the
 * first rows with tab-separated cells.
 */
export async function formatResult(
  { result, state, rows, problem }: ResultStatus,
  { resultRows }: Pick<HostHandlers<ResultProtocol>, 'resultRows'>,
  signal: AbortSignal,
): Promise<string> {
  const count = formatCount(state, rows);
  const header = problem ? [problem.message, count] : [count];
  if (rows === 0) return header.join('\n');
  const first = await resultRows({ result, start: 0, end: MAX_ROWS, columns: 0 }, signal);
  const columns = first.columns.slice(0, MAX_COLUMNS);
  const lines = first.rows.map(({ cells }) => {
    const texts = new Map(cells.map(({ column, text }) => [column, text]));
    return columns.map(({ id }) => texts.get(id) ?? '').join('\t');
  });
  return [...header, '', columns.map(({ name }) => name).join('\t'), ...lines].join('\n');
}

function formatCount(state: ResultState, rows: number): string {
  if (state === 'canceled') return formatCanceled(rows);
  if (state === 'full') {
    return vscode.l10n.t(
      'Only the first {0} rows are available. Export All writes the full result.',
      formatNumber(rows),
    );
  }
  return rows === 1 ? vscode.l10n.t('{0} row', 1) : vscode.l10n.t('{0} rows', formatNumber(rows));
}

function formatCanceled(rows: number): string {
  if (rows === 0) return vscode.l10n.t('Canceled before the first row arrived.');
  return rows === 1
    ? vscode.l10n.t('Canceled after 1 row. There might be more rows.')
    : vscode.l10n.t('Canceled after {0} rows. There might be more rows.', formatNumber(rows));
}
