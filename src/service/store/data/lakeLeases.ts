import { type RawBuilder, sql } from 'kysely';
import { isSqlite, type Store, type StoreAccess } from '../store';
import type { LakeKey, LakeTask } from './dataSchema';

/** Right to do one kind of work on an organization's files until another service acquires it. */
export interface LakeLease extends LakeKey {
  task: LakeTask;
  /** Number that no other holder of the lease has. It increases with each acquisition. */
  token: number;
}

/**
 * Time in milliseconds after which every lease expires. A later expiry was set while the clock of the
 * database was ahead, and would otherwise block the work of a service that crashed until then.
 */
const MAX_LEASE_MS = 60_000;

/**
 * Acquires a lease that no service holds or whose holder hasn't renewed it in time.
 * @returns undefined if another holder's lease hasn't expired.
 */
export async function acquireLease(
  store: Store,
  key: LakeKey,
  task: LakeTask,
  durationMs: number,
): Promise<LakeLease | undefined> {
  const now = getDatabaseTime(store);
  const { rows } = await sql<{ token: number }>`
    insert into lake_leases (place, organization_id, task, token, expires_at)
    values (${key.catalogId}, ${key.organizationId}, ${task}, 1, ${now} + ${durationMs})
    on conflict (place, organization_id, task) do update
      set token = lake_leases.token + 1, expires_at = excluded.expires_at
      where lake_leases.expires_at not between ${now} + 1 and ${now} + ${Math.max(durationMs, MAX_LEASE_MS)}
    returning token`.execute(store);
  return rows[0] && { ...key, task, token: rows[0].token };
}

/**
 * Extends a lease, even if it has expired, unless another service has acquired it.
 * @returns false if another service has acquired it.
 */
export function renewLease(store: Store, lease: LakeLease, durationMs: number): Promise<boolean> {
  return update(store, lease, sql`${getDatabaseTime(store)} + ${durationMs}`);
}

/** Lets other services acquire a lease. Does nothing if one of them already has. */
export async function releaseLease(store: Store, lease: LakeLease): Promise<void> {
  await update(store, lease, sql`0`);
}

/**
 * Locks a lease until the transaction commits, so that no other service can acquire it before. A
 * transaction that this function allows is therefore never later than one of the next holder.
 * @returns false if another service has acquired it.
 */
export function lockLease(access: StoreAccess, lease: LakeLease): Promise<boolean> {
  return update(access, lease, sql`expires_at`);
}

async function update(
  access: StoreAccess,
  { catalogId, organizationId, task, token }: LakeLease,
  expiresAt: RawBuilder<unknown>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`update lake_leases set expires_at = ${expiresAt}
    where place = ${catalogId} and organization_id = ${organizationId} and task = ${task}
      and token = ${token}`.execute(access);
  return numAffectedRows === 1n;
}

/** Time in milliseconds since the Unix epoch, by the one clock that all services share. */
function getDatabaseTime(store: Store): RawBuilder<number> {
  return isSqlite(store)
    ? sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
    : sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;
}
