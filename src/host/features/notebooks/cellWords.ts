import * as vscode from 'vscode';
import type { HostHandlers } from '../../../shared/protocol';
import type { ResultProtocol, ResultState, ResultStatus } from '../../../shared/query/results';
import { formatNumber } from '../../platform/quantityText';

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
