import * as vscode from 'vscode';
import type { HostHandlers } from '../../../shared/protocol';
import type { ResultProtocol, ResultStatus } from '../../../shared/query/results';
import { numberText } from '../../platform/quantityText';

const MOST_ROWS = 10;
const MOST_COLUMNS = 12;

/**
 * A result in words, for whatever cannot show it: how many rows there are, and the first of them with
 * tabs between their cells.
 */
export async function wordsOf(
  { result, rows, problem }: ResultStatus,
  { resultRows }: Pick<HostHandlers<ResultProtocol>, 'resultRows'>,
  signal: AbortSignal,
): Promise<string> {
  const count =
    rows === 1 ? vscode.l10n.t('{0} row', 1) : vscode.l10n.t('{0} rows', numberText(rows));
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
