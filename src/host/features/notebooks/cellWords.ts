import * as vscode from 'vscode';
import type { HostHandlers } from '../../../shared/protocol';
import type { ResultProtocol, ResultState, ResultStatus } from '../../../shared/query/results';
import { numberText } from '../../platform/quantityText';

const MOST_ROWS = 10;
const MOST_COLUMNS = 12;

/**
 * Returns a result as text, for programs that can't show it: the number of rows, if known, and the
 * first of them with tabs between their cells.
 */
export async function wordsOf(
  { result, state, rows, problem }: ResultStatus,
  { resultRows }: Pick<HostHandlers<ResultProtocol>, 'resultRows'>,
  signal: AbortSignal,
): Promise<string> {
  const count = countText(state, rows);
  const said = problem ? [problem.message, count] : [count];
  if (rows === 0) return said.join('\n');
  const first = await resultRows({ result, start: 0, end: MOST_ROWS, columns: 0 }, signal);
  const columns = first.columns.slice(0, MOST_COLUMNS);
  const lines = first.rows.map(({ cells }) => {
    const texts = new Map(cells.map(({ column, text }) => [column, text]));
    return columns.map(({ id }) => texts.get(id) ?? '').join('\t');
  });
  return [...said, '', columns.map(({ name }) => name).join('\t'), ...lines].join('\n');
}

function countText(state: ResultState, rows: number): string {
  if (state === 'canceled') return canceledText(rows);
  if (state === 'full') {
    return vscode.l10n.t(
      'Only the first {0} rows are available. Export All writes the full result.',
      numberText(rows),
    );
  }
  return rows === 1 ? vscode.l10n.t('{0} row', 1) : vscode.l10n.t('{0} rows', numberText(rows));
}

function canceledText(rows: number): string {
  if (rows === 0) return vscode.l10n.t('Canceled before the first row arrived.');
  return rows === 1
    ? vscode.l10n.t('Canceled after 1 row. There might be more rows.')
    : vscode.l10n.t('Canceled after {0} rows. There might be more rows.', numberText(rows));
}
