import { join } from 'node:path';
import { serialize } from 'bson';
import { isDamagedFile } from '../engineError';
import type { CheckJob, DamagedFile } from '../../queryJob';
import { toSqlLiteral } from '../toSqlLiteral';
import { TrustedSession } from './trustedSession';

/** Reads every value in each file and yields the files that can't be read. */
export async function* checkFiles({
  directory,
  files,
}: CheckJob): AsyncGenerator<Uint8Array, void> {
  await using session = await TrustedSession.open(directory);
  for (const name of files) {
    try {
      await session.rows(
        `select max(hash(columns(*))) from read_parquet(${toSqlLiteral(join(directory, name))})`,
      );
    } catch (error) {
      if (!isDamagedFile(error)) throw error;
      const damaged: DamagedFile = { name };
      yield serialize(damaged);
    }
  }
}
