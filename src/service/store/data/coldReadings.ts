import { sql } from 'kysely';
import { yieldToEventLoop } from '../../../base/slices';
import { findSetting, putSetting } from '../settings';
import { lockRow, type Store, type StoreAccess } from '../store';
import { queryByIds } from '../identifiers';
import type { LakeFileRow, LakeKey, ReadingRow } from './dataSchema';
import { type LakeLease, lockLease } from './lakeLeases';
import {
  COLD_CATALOG,
  insertProgress,
  NotListedError,
  requireLease,
  type UnsealedRange,
} from './lakeManifest';
import type { Micros } from '../micros';

/**
 * Number of readings that are removed per transaction. It is limited so that other work can run
 * between transactions.
 */
const BATCH_SIZE = 5000;
/**
 * ID of the catalog of merged files that were stored but not yet read back. Their readings are still
 * in the files that they will replace, and nothing reads them.
 */
const PENDING_CATALOG = 'cold-pending';
/** Schema version whose programs read cold readings. Earlier programs would show them as missing. */
const COLD_SCHEMA = '0019-coldReadings';

/** Progress of moving an organization's readings to files. */
export interface ColdProgress {
  /** ID up to which readings are in files of the catalog of cold readings. */
  sealed: number;
  /**
   * ID up to which readings were removed from the records, so that they are read only from these
   * files. Readings with higher IDs are read only from the records or from copies of them.
   */
  removed: number;
}

/** Returns an organization's progress; 0 if none of its readings have been moved. */
export async function findColdProgress(
  access: StoreAccess,
  organizationId: string,
): Promise<ColdProgress> {
  const row = await access
    .selectFrom('lake_progress')
    .select(['sealed_through', 'removed_through'])
    .where('place', '=', COLD_CATALOG)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return { sealed: row?.sealed_through ?? 0, removed: row?.removed_through ?? 0 };
}

/** Returns the IDs up to which readings were removed from the records, for all organizations. */
export async function findRemoved(access: StoreAccess): Promise<Map<string, number>> {
  const rows = await access
    .selectFrom('lake_progress')
    .select(['organization_id', 'removed_through'])
    .where('place', '=', COLD_CATALOG)
    .where('removed_through', '>', 0)
    .execute();
  return new Map(rows.map((row) => [row.organization_id, row.removed_through ?? 0]));
}

/** Times that decide which readings are old. */
export interface AgeLimits {
  /** Old readings were stored before this time. */
  storedBefore: Micros;
  /** Readings with a later time of storage were stored while the clock was ahead. */
  latest: Micros;
}

/**
 * Returns the organizations whose first reading is old or was stored while the clock was ahead, or
 * whose readings are in files but not all removed from the records.
 */
export async function findWithOldReadings(
  store: Store,
  { storedBefore, latest }: AgeLimits,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select o.id from organizations o
    where (select r.synced_at from readings r where r.organization_id = o.id
        order by r.id limit 1) not between ${storedBefore} and ${latest}
      or exists (select 1 from lake_progress p where p.organization_id = o.id
        and p.place = ${COLD_CATALOG} and p.sealed_through > coalesce(p.removed_through, 0))
    order by o.id`.execute(store);
  return rows.map(({ id }) => id);
}

/**
 * Finds an organization's old readings: those up to the last old one before the first recent one.
 * IDs are assigned in the order of storage, so a reading that was stored while the clock was ahead is
 * old if a later one is.
 * @returns the ID up to which readings are old, or 0; and the number of readings that were stored
 *   while the clock was ahead.
 */
export async function findOldReadings(
  access: StoreAccess,
  organizationId: string,
  { storedBefore, latest }: AgeLimits,
  signal: AbortSignal,
): Promise<{ through: number; ahead: number }> {
  let through = 0;
  let ahead = 0;
  for (let last: number | undefined = 0; last !== undefined;) {
    // SQLite runs statements synchronously, so nothing else would run until the loop ends.
    await yieldToEventLoop();
    signal.throwIfAborted();
    const rows: Pick<ReadingRow, 'id' | 'synced_at'>[] = await access
      .selectFrom('readings')
      .select(['id', 'synced_at'])
      .where('organization_id', '=', organizationId)
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH_SIZE)
      .execute();
    for (const { id, synced_at: storedAt } of rows) {
      if (storedAt < storedBefore) through = id;
      else if (storedAt > latest) ahead += 1;
      else return { through, ahead };
    }
    last = rows.length < BATCH_SIZE ? undefined : rows.at(-1)?.id;
  }
  return { through, ahead };
}

/** Returns the time of storage of the oldest reading that is old; undefined if there is none. */
export async function findOldestDue(
  access: StoreAccess,
  { storedBefore }: AgeLimits,
): Promise<Micros | undefined> {
  const { rows } = await sql<{ oldest: Micros | null }>`select min(stored_at) as oldest from (
      select (select r.synced_at from readings r where r.organization_id = o.id
        order by r.id limit 1) as stored_at from organizations o) firsts
    where stored_at < ${storedBefore}`.execute(access);
  return rows[0]?.oldest ?? undefined;
}

/** Prepares the record of an organization's progress, and awaits uploads in progress. */
export async function beginColdSeal(store: Store, key: LakeKey): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    await lockRow(transaction, 'organizations', key.organizationId);
    await insertProgress(transaction, key);
  });
}

/**
 * Checks that a range still contains as many readings as when they were written to files, and no
 * upload in progress can add any. Must run in a transaction, before the files are listed.
 * @throws NotListedError
 */
export async function requireUnchanged(
  access: StoreAccess,
  organizationId: string,
  range: UnsealedRange,
  count: number,
): Promise<void> {
  await lockRow(access, 'organizations', organizationId);
  if ((await countRecorded(access, organizationId, range)) !== count) throw new NotListedError();
}

/**
 * Removes some readings from the records that are in files, and records up to which ID. From then
 * on, they are read from the files only, and programs that don't read them can't open the database.
 * @returns the number of removed readings; undefined if another service has acquired the lease, has
 *   removed readings, or has replaced one of the files.
 */
export async function removeSomeReadings(
  store: Store,
  { organizationId }: LakeKey,
  { progress: { sealed, removed }, names, lease }: ColdRemoval,
): Promise<number | undefined> {
  return store.transaction().execute(async (transaction) => {
    await lockRow(transaction, 'organizations', organizationId);
    if (!(await lockLease(transaction, lease))) return undefined;
    const files = await transaction
      .selectFrom('lake_files')
      .select('name')
      .where('organization_id', '=', organizationId)
      .where('place', '=', COLD_CATALOG)
      .where('through_id', '>', removed)
      .execute();
    if (!files.every(({ name }) => names.has(name))) return undefined;
    const last = await transaction
      .selectFrom('readings')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('id', '>', removed)
      .where('id', '<=', sealed)
      .orderBy('id')
      .offset(BATCH_SIZE - 1)
      .limit(1)
      .executeTakeFirst();
    const through = last?.id ?? sealed;
    const { numUpdatedRows } = await transaction
      .updateTable('lake_progress')
      .set({ removed_through: through })
      .where('place', '=', COLD_CATALOG)
      .where('organization_id', '=', organizationId)
      .where('sealed_through', '=', sealed)
      .where(sql<boolean>`coalesce(removed_through, 0) = ${removed}`)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return undefined;
    const { numDeletedRows } = await transaction
      .deleteFrom('readings')
      .where('organization_id', '=', organizationId)
      .where('id', '>', removed)
      .where('id', '<=', through)
      .executeTakeFirst();
    if (((await findSetting(transaction, 'oldest_schema')) ?? '') < COLD_SCHEMA) {
      await putSetting(transaction, 'oldest_schema', COLD_SCHEMA);
    }
    return Number(numDeletedRows);
  });
}

/** Removal of readings from the records. */
interface ColdRemoval {
  progress: ColdProgress;
  /** Names of the files that were compared with the records. */
  names: ReadonlySet<string>;
  lease: LakeLease;
}

/**
 * Lists merged files that nothing reads yet, so that they aren't deleted.
 * @throws NotListedError if another service has acquired the lease.
 */
export async function listPending(
  access: StoreAccess,
  files: readonly LakeFileRow[],
  lease: LakeLease | undefined,
): Promise<void> {
  await requireLease(access, lease);
  for (const file of files) {
    // A merge can write the same bytes again if its deletions affect no reading in the file.
    await access
      .insertInto('lake_files')
      .values({ ...file, place: PENDING_CATALOG })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
  }
}

/**
 * Removes an organization's merged files that nothing reads from the list.
 * @throws NotListedError if another service has acquired the lease, because the files could be its
 *   own.
 */
export function clearPending(
  store: Store,
  { organizationId }: LakeKey,
  lease: LakeLease | undefined,
): Promise<void> {
  return store.transaction().execute(async (transaction) => {
    // In the order in which a deletion of the organization locks the rows.
    await lockRow(transaction, 'organizations', organizationId);
    await requireLease(transaction, lease);
    await transaction
      .deleteFrom('lake_files')
      .where('place', '=', PENDING_CATALOG)
      .where('organization_id', '=', organizationId)
      .execute();
  });
}

/**
 * Removes merged files from the list before they are listed in their catalog.
 * @param names names of the files, excluding those that are already in the catalog.
 * @throws NotListedError if a file is no longer listed, because it could have been deleted.
 */
export async function takePending(access: StoreAccess, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const { numDeletedRows } = await access
    .deleteFrom('lake_files')
    .where('place', '=', PENDING_CATALOG)
    .where('name', 'in', names)
    .executeTakeFirst();
  if (Number(numDeletedRows) < names.length) throw new NotListedError();
}

/** Returns the days of the files with an organization's cold readings. */
export async function findColdDays(
  access: StoreAccess,
  organizationId: string,
): Promise<ReadonlySet<number>> {
  const rows = await access
    .selectFrom('lake_files')
    .select('day')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('place', '=', COLD_CATALOG)
    .execute();
  return new Set(rows.map(({ day }) => day));
}

/** Returns the ID up to which removed readings were also removed from a catalog's files. */
export async function findCleaned(
  access: StoreAccess,
  { catalogId, organizationId }: LakeKey,
): Promise<number> {
  const row = await access
    .selectFrom('lake_progress')
    .select('removed_through')
    .where('place', '=', catalogId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row?.removed_through ?? 0;
}

/** Records that removed readings up to an ID were also removed from a catalog's files. */
export async function recordCleaned(
  access: StoreAccess,
  { catalogId, organizationId }: LakeKey,
  through: number,
): Promise<void> {
  await access
    .updateTable('lake_progress')
    .set({ removed_through: through })
    .where('place', '=', catalogId)
    .where('organization_id', '=', organizationId)
    .execute();
}

/** Returns readings in the records by ID. */
export async function findReadings(
  access: StoreAccess,
  ids: readonly number[],
): Promise<Map<number, ReadingRow>> {
  const rows = await queryByIds(ids, (batch) =>
    access.selectFrom('readings').selectAll().where('id', 'in', batch).execute(),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the number of an organization's readings in the records with IDs in a range. */
export async function countRecorded(
  access: StoreAccess,
  organizationId: string,
  { after, through }: UnsealedRange,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from readings
    where organization_id = ${organizationId} and id > ${after} and id <= ${through}`.execute(
    access,
  );
  return Number(rows[0]?.count);
}
