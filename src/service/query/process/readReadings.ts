import { serialize } from 'bson';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { JobLimits } from '../jobMessages';
import type { ReadJob, ReadPage } from '../queryJob';
import { type EngineSource, openEngine } from './engineSession';
import { engineFailure } from './jobError';
import { coldConditions, sqlTexts } from './readingsSql';

/** Columns of a `ColdReading`. DuckDB returns doubles as JavaScript numbers. */
const ROW_COLUMNS = `id::double as id, series_id::double as series_id, organization_id,
  epoch_us(time_requested)::double as requested_at, epoch_us(time_received)::double as received_at,
  epoch_us(synced_at)::double as synced_at, size::double as size, data::varchar as payload`;

/**
 * Checksum that doesn't depend on the order of the rows. Equal rows have equal hashes in all files,
 * but not in all versions of DuckDB, so checksums must not be stored.
 */
const CHECKSUM = 'coalesce(sum(hash(files)::hugeint), 0)::varchar';

/**
 * Reads cold readings, as the record store would.
 * @throws JobError DataLoss if a file is damaged; ResourceExhausted if this takes too much memory.
 */
export async function* readReadings(
  job: ReadJob,
  limits: JobLimits,
  engines: EngineSource,
): AsyncGenerator<Uint8Array, void> {
  using session = await openEngine(limits, { engines });
  const { connection } = session;
  try {
    if (job.result === 'totals') {
      const [totals] = await readRows(
        connection,
        `select count(*)::double as count, coalesce(sum(size), 0)::double as bytes,
          ${CHECKSUM} as checksum from ${selectFiles(job)}`,
      );
      yield serialize(totals ?? {});
      return;
    }
    const condition = job.result === 'all' ? '' : await selectPage(connection, job, job.result);
    if (condition === undefined) return;
    const result = await connection.stream(
      `select ${ROW_COLUMNS} from ${selectFiles(job)} ${condition}`,
    );
    for await (const rows of result.yieldRowObjectJs()) {
      for (const row of rows) yield serialize(row);
    }
  } catch (error) {
    throw engineFailure(error);
  }
}

function selectFiles({ cold, seriesIds, start, end, storedFrom }: ReadJob): string {
  const at = (micros: number): string => `make_timestamp(${String(micros)})`;
  const conditions = [
    ...coldConditions(cold),
    ...(seriesIds === undefined ? [] : [`series_id in (${seriesIds.join(', ')})`]),
    ...(start === undefined ? [] : [`time_requested >= ${at(start)}`]),
    ...(end === undefined ? [] : [`time_requested < ${at(end)}`]),
    ...(storedFrom === undefined ? [] : [`synced_at >= ${at(storedFrom)}`]),
  ];
  return `read_parquet([${sqlTexts(cold.files)}]) as files where ${conditions.join(' and ')}`;
}

/**
 * Returns the rest of the statement that selects the rows of a page. The payloads, which can be
 * several megabytes each, aren't sorted. The first reading beyond the maximum size is also selected,
 * because other sources can have readings after it, which must not be on the same page.
 * @returns undefined if the page is empty.
 */
async function selectPage(
  connection: DuckDBConnection,
  job: ReadJob,
  { oldestFirst, after, limit, maxBytes }: ReadPage,
): Promise<string | undefined> {
  const [behind, direction] = oldestFirst ? (['>', 'asc'] as const) : (['<', 'desc'] as const);
  const rest =
    after === undefined
      ? ''
      : `and (epoch_us(time_requested), id) ${behind} (${String(after.requestedAt)}, ${String(after.id)})`;
  const keys = await readRows(
    connection,
    `select id::double as id, size::double as size from ${selectFiles(job)} ${rest}
      order by time_requested ${direction}, id ${direction} limit ${String(limit)}`,
  );
  let bytes = 0;
  const ids = keys
    .filter(({ size }) => {
      const isWithin = bytes <= maxBytes;
      bytes += Number(size);
      return isWithin;
    })
    .map(({ id }) => String(id));
  return ids.length === 0 ? undefined : `and id in (${ids.join(', ')})`;
}

async function readRows(
  connection: DuckDBConnection,
  sql: string,
): Promise<Record<string, unknown>[]> {
  const reader = await connection.runAndReadAll(sql);
  return reader.getRowObjectsJS();
}
