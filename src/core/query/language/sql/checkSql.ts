import type { QuerySchema } from '../../schema/querySchema';
import type { Finding } from '../finding';
import { checkBounds } from './checkBounds';
import { checkNames } from './checkNames';
import { checkWriting } from './checkWriting';
import { readQuery, statementsOf } from './sqlQuery';
import { sqlTokens } from './sqlTokens';

/**
 * What is wrong or doubtful in a query of SQL. Where it cannot be read, nothing is said of what it means: the
 * database knows its language better, and says so when it is run.
 */
export function checkSql(text: string, schema: QuerySchema): Finding[] {
  const tokens = sqlTokens(text);
  const statements = statementsOf(tokens);
  const broken = checkWriting(tokens, statements);
  const [statement] = statements;
  if (broken.length > 0 || statement === undefined) return broken;
  const query = readQuery(statement);
  return [...checkBounds(query), ...checkNames(query, schema)];
}
