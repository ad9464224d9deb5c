import type { QueryLanguage, TextSpan } from '../../model/query';
import { statementsOf } from './sql/sqlQuery';
import { sqlTokens } from './sql/sqlTokens';

/**
 * The queries of a text, each of which is run by itself: statements of SQL, without what divides them. A pipeline
 * is one, with everything around it.
 */
export function statementsIn(language: QueryLanguage, text: string): readonly TextSpan[] {
  if (text.trim() === '') return [];
  if (language === 'mql') return [{ start: 0, end: text.length }];
  return statementsOf(sqlTokens(text)).map((tokens) => ({
    start: tokens[0]?.start ?? 0,
    end: tokens.at(-1)?.end ?? 0,
  }));
}

/** The query that a place is in, or right behind; otherwise the one before it, or else the first. */
export function statementAt(statements: readonly TextSpan[], offset: number): TextSpan | undefined {
  return statements.findLast(({ start }) => start <= offset) ?? statements[0];
}
