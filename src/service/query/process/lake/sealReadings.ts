import { serialize } from 'bson';
import type { SealJob, WrittenFile } from '../../queryJob';
import { toSqlLiteral } from '../toSqlLiteral';
import { fileName, TrustedSession } from './trustedSession';

/**
 * Maximum line length, which is longer than any line. A reading has at most 4 MB, and its
 * characters can be escaped.
 */
const MAX_LINE_LENGTH = 32 * 1024 * 1024;

const READING_COLUMNS = `{
  id: 'BIGINT', series_id: 'BIGINT', day: 'BIGINT',
  synced_at: 'BIGINT', requested_at: 'BIGINT', received_at: 'BIGINT', data: 'JSON'
}`;

const SERIES_COLUMNS = `{
  series_id: 'BIGINT', organization_id: 'VARCHAR', location_id: 'VARCHAR', robot_id: 'VARCHAR',
  part_id: 'VARCHAR', component_type: 'VARCHAR', component_name: 'VARCHAR', method_name: 'VARCHAR',
  tags: 'VARCHAR[]', additional_parameters: 'JSON'
}`;

/**
 * Columns and row order of the files. Readings that are queried together are stored next to each
 * other.
 */
const SEALED_ROWS = `
  select r.id, r.series_id, make_timestamp(r.synced_at) as synced_at,
    s.organization_id, s.location_id, s.robot_id, s.part_id,
    s.component_type, s.component_name, s.method_name,
    make_timestamp(r.requested_at) as time_requested,
    make_timestamp(r.received_at) as time_received,
    s.tags, s.additional_parameters, r.data
  from incoming r join series s using (series_id)`;

/**
 * Data of a reading in the form from which the shape is computed. DuckDB reports empty objects as
 * values of mixed types. Everything merged with them would then also be mixed, so a null member is
 * added to empty objects. The pattern matches `{}` only as the value of a member, not inside a
 * string.
 */
const SHAPED_DATA = String.raw`
  case when data::varchar = '{}' then '{"":null}'
    when contains(data::varchar, '":{}') then regexp_replace(
      data::varchar, '([^\\{,\[:]":)\{\}', '\1{"":null}', 'g')
    else data::varchar end::json`;

/** Seals readings: writes the readings of each day to a separate file. */
export async function* sealReadings(job: SealJob): AsyncGenerator<Uint8Array, void> {
  await using session = await TrustedSession.open(job.directory);
  await session.run(`create table incoming as ${lines(job.readings, READING_COLUMNS)}`);
  await session.run(`create table series as ${lines(job.series, SERIES_COLUMNS)}`);
  const days = await session.rows(`
    select day::double as day, count(*)::double as rows, max(synced_at)::double as synced,
      json_group_structure(${SHAPED_DATA})::varchar as shape
    from incoming group by day order by day`);
  for (const { day, rows, synced, shape } of days) {
    const name = fileName(job.prefix, Number(day));
    const byteCount = await session.write(
      `${SEALED_ROWS} where r.day = ${String(day)} order by r.series_id, r.requested_at, r.id`,
      name,
    );
    const written: WrittenFile = {
      name,
      day: Number(day),
      rowCount: Number(rows),
      byteCount,
      lastSyncedAt: Number(synced),
      shape: String(shape),
    };
    yield serialize(written);
  }
}

function lines(path: string, columns: string): string {
  return `select * from read_json(${toSqlLiteral(path)}, format = 'newline_delimited',
    columns = ${columns}, maximum_object_size = ${String(MAX_LINE_LENGTH)})`;
}
