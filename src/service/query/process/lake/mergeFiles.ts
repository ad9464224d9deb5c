import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import { serialize } from 'bson';
import type { MergeJob, WrittenFile } from '../../queryJob';
import { notDeleted } from '../readingsView';
import { toSqlLiteral, sqlTexts } from '../toSqlLiteral';
import { fileName, TrustedSession } from './trustedSession';

/** Merges files of one day into a single file, without the deleted readings. */
export async function* mergeFiles(job: MergeJob): AsyncGenerator<Uint8Array, void> {
  await using session = await TrustedSession.open(job.directory);
  const sources = sqlTexts(job.sources.map((source) => join(job.directory, source)));
  const name = fileName(job.prefix, job.day);
  const byteCount = await session.write(
    `select files.* from read_parquet([${sources}]) files where ${notDeleted(job.deletions)}
      ${job.ordered ? 'order by series_id, time_requested, id' : ''}`,
    name,
  );
  const path = join(job.directory, name);
  const [result] = await session.rows(`
    select count(*)::double as rows, epoch_us(max(synced_at))::double as synced
    from read_parquet(${toSqlLiteral(path)})`);
  const rowCount = Number(result?.rows);
  if (rowCount === 0) {
    await rm(path);
    return;
  }
  const written: WrittenFile = {
    name,
    day: job.day,
    rowCount,
    byteCount,
    lastSyncedAt: Number(result?.synced),
  };
  yield serialize(written);
}
