import { sql } from 'kysely';
import { lockRow } from '../rowLocks';
import type { Store, StoreAccess } from '../store';
import type { LogLineRow } from './logSchema';

/** What is read at a time; the first line may have more. PostgreSQL only, as all of this. */
const MAX_LINES = 1000;
const MAX_BYTES = 8 * 1024 * 1024;

/** Begins the locks of those who tail parts. */
const TAILED = 0x10616c;

/**
 * The position behind all that is stored of a part by now: its lines that are stored later have
 * larger ids.
 */
export async function presentPosition(store: Store, partId: string): Promise<number> {
  return store.transaction().execute(async (access) => {
    // Who stores lines of the part has it locked from before they get their ids until all see them.
    await lockRow(access, 'parts', partId);
    const { rows } = await sql<{ last: number | null }>`
      select max(id) as last from log_lines`.execute(access);
    return rows[0]?.last ?? 0;
  });
}

/** The lines of a part behind a position, in their order, as far as they are read at a time. */
export async function linesBehind(
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

/**
 * Tells who tails a part that this transaction stores lines of it; they hear when it is committed.
 * @returns the id of the last line that it has stored; undefined when nobody tails the part.
 */
export async function announceLines(
  access: StoreAccess,
  channel: string,
  sender: string,
  partId: string,
): Promise<number | undefined> {
  // Transactions that tell something are committed one at a time in the whole database.
  const { rows } = await sql<{ is_alone: boolean; last: number }>`
    select pg_try_advisory_xact_lock(${TAILED}, hashtext(${partId})) as is_alone,
      currval(pg_get_serial_sequence('log_lines', 'id')) as last`.execute(access);
  const [row] = rows;
  if (row === undefined || row.is_alone) {
    return undefined;
  }
  await tell(access, channel, JSON.stringify([sender, partId, row.last]));
  return row.last;
}

/** Sends a notice to anyone who listens on a channel; within a transaction, when it is committed. */
export async function tell(access: StoreAccess, channel: string, notice: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${notice})`.execute(access);
}

/** Statements for the connection of who tails a part: as long as it holds this, it is told. */
export const TAIL_LOCK = {
  take: `select pg_advisory_lock_shared(${String(TAILED)}, hashtext($1))`,
  release: `select pg_advisory_unlock_shared(${String(TAILED)}, hashtext($1))`,
} as const;
