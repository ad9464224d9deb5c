import type { QuerySchema } from '../../schema/querySchema';
import type { Finding } from '../finding';
import { checkBounds } from './checkBounds';
import { checkNames } from './checkNames';
import { checkWriting } from './checkWriting';
import { readQuery, statementsOf } from './sqlQuery';
import { type SqlToken, sqlTokens } from './sqlTokens';

/**
 * What is wrong or doubtful in queries of SQL. Where they cannot be read, nothing is said of what they mean: the
 * database knows its language better, and says so when one is run.
 */
export function checkSql(text: string, schema: QuerySchema): Finding[] {
  const tokens = sqlTokens(text);
  const statements = statementsOf(tokens);
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

/** Only one is run at a time: anyone who lets a person run each by itself has no use for this. */
function severalStatements(second: readonly SqlToken[]): Finding {
  const [start, end] = [second[0]?.start ?? 0, second.at(-1)?.end ?? 0];
  return { rule: 'severalStatements', severity: 'error', subject: '', fixes: [], start, end };
}
