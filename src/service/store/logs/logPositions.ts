import { sql } from 'kysely';
import { lockRow, type Store, type StoreAccess } from '../store';
import type { LogLineRow } from './logSchema';

/**
 * Limits on the number of lines and bytes to read at a time. The first line can exceed the byte
 * limit. Everything in this file is for PostgreSQL only.
 */
const MAX_LINES = 1000;
const MAX_BYTES = 8 * 1024 * 1024;

/** Namespace for the advisory locks that services take while they tail parts. */
const TAILED = 0x10616c;

/**
 * Returns the position after all of a part's currently stored lines. Lines that are stored later
 * have higher IDs.
 */
export async function presentPosition(store: Store, partId: string): Promise<number> {
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
 * Notifies the services that tail a part that this transaction stores some of the part's lines. The
 * services receive the notification when the transaction commits.
 * @returns the ID of the last stored line; undefined if no service tails the part.
 */
export async function announceLines(
  access: StoreAccess,
  channel: string,
  sender: string,
  partId: string,
): Promise<number | undefined> {
  // Sends notifications only if necessary, because the database commits transactions with
  // notifications one at a time.
  const { rows } = await sql<{ is_alone: boolean; last: number }>`
    select pg_try_advisory_xact_lock(${TAILED}, hashtext(${partId})) as is_alone,
      currval(pg_get_serial_sequence('log_lines', 'id')) as last`.execute(access);
  const [row] = rows;
  if (row === undefined || row.is_alone) return undefined;
  await notifyChannel(access, channel, JSON.stringify([sender, partId, row.last]));
  return row.last;
}

/**
 * Sends a notification to the listeners on a channel. Within a transaction, the notification is
 * sent on commit.
 */
export async function notifyChannel(
  access: StoreAccess,
  channel: string,
  notice: string,
): Promise<void> {
  await sql`select pg_notify(${channel}, ${notice})`.execute(access);
}

/**
 * SQL statements that acquire and release the lock for tailing a part, for a service's connection.
 * The service is notified while it has this lock.
 */
export const TAIL_LOCK = {
  take: `select pg_advisory_lock_shared(${String(TAILED)}, hashtext($1))`,
  release: `select pg_advisory_unlock_shared(${String(TAILED)}, hashtext($1))`,
} as const;
