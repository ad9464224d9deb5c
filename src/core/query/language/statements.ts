import type { QueryLanguage, TextSpan } from '../../model/query';
import { splitStatements } from './sql/sqlQuery';
import { sqlTokens } from './sql/sqlTokens';

/**
 * Splits a text into queries that run separately: SQL statements without their separators. A
 * pipeline is always one query, which includes all surrounding text.
 */
export function statementsIn(language: QueryLanguage, text: string): readonly TextSpan[] {
  if (text.trim() === '') return [];
  if (language === 'mql') return [{ start: 0, end: text.length }];
  return splitStatements(sqlTokens(text)).map((tokens) => ({
    start: tokens[0]?.start ?? 0,
    end: tokens.at(-1)?.end ?? 0,
  }));
}

/**
 * Returns the query at an offset or directly before it. If there is none, returns the closest
 * preceding query, or else the first query.
 */
export function statementAt(statements: readonly TextSpan[], offset: number): TextSpan | undefined {
  return statements.findLast(({ start }) => start <= offset) ?? statements[0];
}
