import type { QuerySchema } from '../../schema/querySchema';
import type { Finding } from '../finding';
import { checkBounds } from './checkBounds';
import { checkNames } from './checkNames';
import { checkWriting } from './checkWriting';
import { readQuery, splitStatements } from './sqlQuery';
import { type SqlToken, sqlTokens } from './sqlTokens';

/**
 * Reports errors and warnings in SQL queries. If a query can't be parsed, checks only its syntax,
 * because the database knows its own language better and reports other errors when the query runs.
 */
export function checkSql(text: string, schema: QuerySchema): Finding[] {
  const tokens = sqlTokens(text);
  const statements = splitStatements(tokens);
  const broken = checkWriting(tokens, statements);
  if (broken.length > 0) return broken;
  const [, second] = statements;
  return [
    ...(second === undefined ? [] : [severalStatements(second)]),
    ...statements
      .map(readQuery)
      .flatMap((query) => [...checkBounds(query, text), ...checkNames(query, schema)]),
  ];
}

/**
 * Reports a second statement, because only one statement can run at a time. Not used for editors
 * that run each statement separately.
 */
function severalStatements(second: readonly SqlToken[]): Finding {
  const [start, end] = [second[0]?.start ?? 0, second.at(-1)?.end ?? 0];
  return { rule: 'severalStatements', severity: 'error', subject: '', fixes: [], start, end };
}
