import { sql } from 'kysely';
import { lockRow, type Store, type StoreAccess } from '../store';
import type { LogLineRow } from './logSchema';

/**
 * Limits on the number of lines and bytes to read at a time. The first line can exceed the byte
 * limit. Everything in this file is for PostgreSQL only.
 */
const MAX_LINES = 1000;
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Returns the position after all of a part's currently stored lines. Lines that are stored later
 * have higher IDs.
 */
export async function findLastPosition(store: Store, partId: string): Promise<number> {
  return store.transaction().execute(async (access) => {
    // A transaction that stores a part's lines locks the part before the lines get their IDs, and
    // releases the lock when the lines become visible.
    await lockRow(access, 'parts', partId);
    const { rows } = await sql<{ last: number | null }>`
      select max(id) as last from log_lines`.execute(access);
    return rows[0]?.last ?? 0;
  });
}

/** Returns a part's lines after a position, in order, up to the limits. */
export async function readLinesAfter(
  access: StoreAccess,
  partId: string,
  position: number,
): Promise<LogLineRow[]> {
  const { rows } = await sql<LogLineRow>`
    select * from (
      select *, sum(size) over (order by id) - size as bytes_before from (
        select * from log_lines where part_id = ${partId} and id > ${position}
        order by id limit ${MAX_LINES}
      ) as next_lines
    ) as sized_lines where bytes_before < ${MAX_BYTES} order by id`.execute(access);
  return rows;
}

/** Position of a tailed part: the ID of its last delivered line. */
export interface TailPosition {
  partId: string;
  position: number;
}

/** Returns the IDs of the parts that have lines after their positions. */
export async function findAdvancedParts(
  access: StoreAccess,
  positions: readonly TailPosition[],
): Promise<string[]> {
  const ids = positions.map(({ partId }) => partId);
  const after = positions.map(({ position }) => position);
  const { rows } = await sql<{ part_id: string }>`
    select t.part_id from unnest(${ids}::text[], ${after}::bigint[]) as t (part_id, position)
    where exists (
      select 1 from log_lines l where l.part_id = t.part_id and l.id > t.position
    )`.execute(access);
  return rows.map(({ part_id }) => part_id);
}

/** IDs of the last line of a part and of the last line before those that a transaction stored. */
export interface StoredRange {
  last: number;
  previous: number;
}

/**
 * Returns the range of lines that this transaction has just stored for a part.
 * @param lineCount number of these lines, at least 1.
 */
export async function findStoredRange(
  access: StoreAccess,
  partId: string,
  lineCount: number,
): Promise<StoredRange> {
  // The transaction has locked the part, so its lines are the part's last ones.
  const { rows } = await sql<{ last: number; previous: number | null }>`
    select max(id) as last,
      (select id from log_lines where part_id = ${partId}
        order by id desc offset ${lineCount} limit 1) as previous
    from log_lines where part_id = ${partId}`.execute(access);
  return { last: rows[0]?.last ?? 0, previous: rows[0]?.previous ?? 0 };
}
