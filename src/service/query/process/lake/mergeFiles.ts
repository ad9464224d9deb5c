import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import { serialize } from 'bson';
import type { MergeJob, WrittenFile } from '../../queryJob';
import type { DeletedReadings } from '../../readingsFiles';
import { fileName, quoted, TrustedSession } from './trustedSession';

/** Writes several files of a day as one, without what is deleted. */
export async function* mergeFiles(job: MergeJob): AsyncGenerator<Uint8Array, void> {
  await using session = await TrustedSession.open(job.directory);
  const sources = job.sources.map((name) => quoted(join(job.directory, name))).join(', ');
  await session.run(`create table deleted (series_id bigint, through_id bigint,
    deleted_from timestamp, deleted_to timestamp)`);
  for (const deletion of job.deletions) {
    await session.run(`insert into deleted values (${valuesOf(deletion)})`);
  }
  const name = fileName(job.prefix, job.day);
  const byteCount = await session.write(
    `select r.* from read_parquet([${sources}]) r where not exists (
      select 1 from deleted d where d.series_id = r.series_id and r.id <= d.through_id
        and r.time_requested between d.deleted_from and d.deleted_to
    ) ${job.ordered ? 'order by r.series_id, r.time_requested, r.id' : ''}`,
    name,
  );
  const path = join(job.directory, name);
  const [result] = await session.rows(`
    select count(*)::double as rows, epoch_us(max(synced_at))::double as synced
    from read_parquet(${quoted(path)})`);
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

function valuesOf({ seriesId, throughId, from, to }: DeletedReadings): string {
  return `${String(seriesId)}, ${String(throughId)}, make_timestamp(${String(from)}::bigint),
    make_timestamp(${String(to)}::bigint)`;
}
