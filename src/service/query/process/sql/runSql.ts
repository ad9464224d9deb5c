import type { JobLimits } from '../../jobMessages';
import type { SqlJob } from '../../queryJob';
import { bsonRows } from '../bsonRows';
import { invalidQuery } from '../jobError';
import { openReadings } from '../readingsSession';

/** Answers a row of a SELECT over `readings` after the other, as BSON documents. */
export async function* runSql(
  { sql, readings }: SqlJob,
  limits: JobLimits,
): AsyncGenerator<Uint8Array, void> {
  using session = await openReadings(readings, limits);
  let result;
  try {
    result = await session.connection.stream(sql);
  } catch (error) {
    throw invalidQuery(String(error), { cause: error });
  }
  yield* bsonRows(result);
}
