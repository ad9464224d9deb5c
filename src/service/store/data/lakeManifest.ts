import { sql } from 'kysely';
import { queryByIds } from '../identifiers';
import { lockRow, type Store, type StoreAccess } from '../store';
import type { DeletedReadingsRow, LakeFileRow, LakeKey } from './dataSchema';
import { type LakeLease, lockLease } from './lakeLeases';

/**
 * ID of the catalog of files in the bucket of a fleet. The ID of a folder is a random number.
 */
export const BUCKET_CATALOG = 'bucket';
/**
 * ID of the catalog of cold readings: files that are the only copy of readings, and that are stored
 * like images, in a folder or in a bucket. It is never cleared.
 */
export const COLD_CATALOG = 'cold';

/** Range of readings that aren't in files yet: those with IDs above `after`, up to `through`. */
export interface UnsealedRange {
  after: number;
  through: number;
}

/**
 * Returns the range of readings to seal. The range includes all readings that were acknowledged
 * before this call, because this function waits for uploads in progress and later uploads have
 * higher IDs.
 * @returns undefined if there is nothing to seal.
 */
export async function unsealedRange(
  store: Store,
  key: LakeKey,
): Promise<UnsealedRange | undefined> {
  const after = await sealedThrough(store, key);
  const next = await store
    .selectFrom('readings')
    .select('id')
    .where('organization_id', '=', key.organizationId)
    .where('id', '>', after ?? 0)
    .limit(1)
    .executeTakeFirst();
  // If unsealed readings were deleted, there might be no readings left to seal. The deletion mark
  // isn't removed until the sealed range includes it.
  if (next === undefined && (after === undefined || (await lastDeletedId(store, key)) <= after)) {
    return undefined;
  }
  return store.transaction().execute(async (transaction) => {
    await lockRow(transaction, 'organizations', key.organizationId);
    if (after === undefined) await insertProgress(transaction, key);
    const ids = [await lastReadingId(transaction), await lastDeletedId(transaction, key)];
    return { after: after ?? 0, through: Math.max(...ids) };
  });
}

/**
 * Returns the highest ID among all readings, including cold readings. Later readings have higher
 * IDs.
 */
export async function lastReadingId(access: StoreAccess): Promise<number> {
  const row = await access
    .selectFrom('readings')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const cold = await access
    .selectFrom('lake_progress')
    .select((expression) => expression.fn.max('removed_through').as('id'))
    .where('place', '=', COLD_CATALOG)
    .executeTakeFirst();
  return Math.max(row?.id ?? 0, cold?.id ?? 0);
}

/** Returns the highest ID in the marks of deleted readings. */
async function lastDeletedId(access: StoreAccess, key: LakeKey): Promise<number> {
  const row = await access
    .selectFrom('deleted_readings')
    .select('through_id')
    .where('organization_id', '=', key.organizationId)
    .where('place', '=', key.catalogId)
    .orderBy('through_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.through_id ?? 0;
}

/**
 * Returns the ID up to which readings are sealed; undefined if nothing has ever been sealed or the
 * record of it was cleared.
 */
export async function sealedThrough(
  access: StoreAccess,
  key: LakeKey,
): Promise<number | undefined> {
  const row = await access
    .selectFrom('lake_progress')
    .select('sealed_through')
    .where('place', '=', key.catalogId)
    .where('organization_id', '=', key.organizationId)
    .executeTakeFirst();
  return row?.sealed_through;
}

/** Adds the record of sealed readings unless it exists. */
export async function insertProgress(access: StoreAccess, key: LakeKey): Promise<void> {
  await access
    .insertInto('lake_progress')
    .values({
      place: key.catalogId,
      organization_id: key.organizationId,
      sealed_through: 0,
      removed_through: null,
    })
    .onConflict((conflict) => conflict.columns(['place', 'organization_id']).doNothing())
    .execute();
}

/**
 * Error thrown to roll back a transaction that can't list files: the organization was deleted, or
 * another service has sealed or merged the same readings.
 */
export class NotListedError extends Error {
  override readonly name = 'NotListedError';
}

/**
 * Adds files that contain a sealed range of readings to the list. From then on, queries read them.
 * Must run in a transaction.
 * @param lease lease that a shared catalog requires. If another service has acquired it, this
 *   service was too slow.
 * @throws NotListedError
 */
export async function listSealed(
  access: StoreAccess,
  { catalogId, organizationId }: LakeKey,
  { after, through }: UnsealedRange,
  files: readonly LakeFileRow[],
  lease?: LakeLease,
): Promise<void> {
  await requireLease(access, lease);
  const { numUpdatedRows } = await access
    .updateTable('lake_progress')
    .set({ sealed_through: through })
    .where('place', '=', catalogId)
    .where('organization_id', '=', organizationId)
    .where('sealed_through', '=', after)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new NotListedError();
  await insertFiles(access, files);
}

/** @throws NotListedError if another service has acquired the lease. */
export async function requireLease(
  access: StoreAccess,
  lease: LakeLease | undefined,
): Promise<void> {
  if (lease !== undefined && !(await lockLease(access, lease))) throw new NotListedError();
}

async function insertFiles(access: StoreAccess, files: readonly LakeFileRow[]): Promise<void> {
  for (const file of files) {
    await access.insertInto('lake_files').values(file).execute();
  }
}

/**
 * Returns an organization's files and the deletions that apply to them. Reads the deletions first.
 * If a merge removes deleted readings between the two reads, they are then excluded twice rather
 * than included.
 */
export async function lakeContents(
  access: StoreAccess,
  { catalogId, organizationId }: LakeKey,
): Promise<{ files: LakeFileRow[]; deletions: DeletedReadingsRow[] }> {
  const deletions = await access
    .selectFrom('deleted_readings')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('place', '=', catalogId)
    .execute();
  const files = await access
    .selectFrom('lake_files')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('place', '=', catalogId)
    .orderBy('day')
    .orderBy('name')
    .execute();
  return { files, deletions };
}

/** Returns true if there are deletions that might affect files. */
export async function hasDeletions(
  access: StoreAccess,
  { catalogId, organizationId }: LakeKey,
): Promise<boolean> {
  const row = await access
    .selectFrom('deleted_readings')
    .select('day')
    .where('organization_id', '=', organizationId)
    .where('place', '=', catalogId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the IDs of the organizations that have deletions that might affect files. */
export async function findWithDeletions(access: StoreAccess, catalogId: string): Promise<string[]> {
  const rows = await access
    .selectFrom('deleted_readings')
    .select('organization_id')
    .distinct()
    .where('place', '=', catalogId)
    .execute();
  return rows.map(({ organization_id: id }) => id);
}

/** Returns the IDs of the organizations that have at least `count` readings that aren't sealed. */
export async function findWithUnsealed(
  access: StoreAccess,
  catalogId: string,
  count: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select organizations.id from organizations
    left join lake_progress on organization_id = organizations.id and place = ${catalogId}
    where exists (
      select 1 from readings where readings.organization_id = organizations.id
        and readings.id > coalesce(sealed_through, 0)
      order by readings.id limit 1 offset ${count - 1})`.execute(access);
  return rows.map(({ id }) => id);
}

/** Files that were merged. */
export interface MergedFiles {
  sources: readonly LakeFileRow[];
  /** Result of the merge; empty if no readings remain. */
  results: readonly LakeFileRow[];
  /** Deletions that no longer affect any file that was listed before the merge. */
  appliedDeletions: readonly DeletedReadingsRow[];
  /**
   * ID through which readings had been sealed before the files were listed. Files that were sealed
   * later can contain readings that the deletions affect.
   */
  sealed: number;
}

/**
 * Replaces files in the list with the file into which they were merged. Must run in a transaction.
 * @param lease as for `listSealed`.
 * @throws NotListedError also if one of the files is no longer listed.
 */
export async function listMerged(
  access: StoreAccess,
  { catalogId, organizationId }: LakeKey,
  { sources, results, appliedDeletions, sealed }: MergedFiles,
  lease?: LakeLease,
): Promise<void> {
  await lockRow(access, 'organizations', organizationId);
  await requireLease(access, lease);
  const names = sources.map(({ name }) => name);
  if (names.length > 0) {
    const { numDeletedRows } = await access
      .deleteFrom('lake_files')
      .where('name', 'in', names)
      .executeTakeFirst();
    if (Number(numDeletedRows) < names.length) throw new NotListedError();
  }
  await insertFiles(access, results);
  // Retains the marks of deletions that have progressed since the merge started, or that affect
  // readings that weren't sealed then.
  for (const { series_id, day, through_id, deleted_to } of appliedDeletions) {
    await access
      .deleteFrom('deleted_readings')
      .where('place', '=', catalogId)
      .where('series_id', '=', series_id)
      .where('day', '=', day)
      .where('through_id', '=', through_id)
      .where('deleted_to', '=', deleted_to)
      .where('through_id', '<=', sealed)
      .execute();
  }
}

/** Returns all files in a catalog. */
export async function listedFiles(
  access: StoreAccess,
  catalogId: string,
): Promise<Pick<LakeFileRow, 'name' | 'organization_id' | 'byte_count'>[]> {
  return access
    .selectFrom('lake_files')
    .select(['name', 'organization_id', 'byte_count'])
    .where('place', '=', catalogId)
    .execute();
}

/** Returns the number and the total size of the files in a catalog. */
export async function measureFiles(
  access: StoreAccess,
  catalogId: string,
): Promise<{ files: number; bytes: number }> {
  const { files, bytes } = await access
    .selectFrom('lake_files')
    .select((expression) => [
      expression.fn.countAll<number>().as('files'),
      expression.fn.sum<string | number | null>('byte_count').as('bytes'),
    ])
    .where('place', '=', catalogId)
    .executeTakeFirstOrThrow();
  // PostgreSQL returns sums as text, and both databases null for a sum of nothing.
  return { files, bytes: Number(bytes) };
}

/**
 * Clears the record of sealed readings in a catalog, for one organization or all organizations. The
 * readings will be sealed again. Files that are being sealed or merged won't be listed: a deletion
 * that follows doesn't mark readings for them.
 * @param damaged files because of which the record is cleared. If absent, it is always cleared.
 * @returns false if none of these files is listed anymore, because another service has cleared the
 *   record.
 * @throws if the files are the only copy of their readings.
 */
export async function clearSealed(
  store: Store,
  { catalogId, organizationId }: { catalogId: string; organizationId?: string },
  damaged?: readonly string[],
): Promise<boolean> {
  if (catalogId === COLD_CATALOG) {
    throw new Error('the catalog of cold readings must not be cleared');
  }
  const ofOrganization =
    organizationId === undefined ? sql`1 = 1` : sql`organization_id = ${organizationId}`;
  return store.transaction().execute(async (transaction) => {
    if (organizationId !== undefined) await lockRow(transaction, 'organizations', organizationId);
    if (damaged !== undefined) {
      const files = await queryByIds(damaged, (names) =>
        transaction.selectFrom('lake_files').select('name').where('name', 'in', names).execute(),
      );
      if (files.length === 0) return false;
    }
    await sql`update lake_leases set token = token + 1, expires_at = 0
      where place = ${catalogId} and ${ofOrganization}`.execute(transaction);
    for (const table of ['lake_files', 'deleted_readings', 'lake_progress'] as const) {
      await sql`delete from ${sql.table(table)}
        where place = ${catalogId} and ${ofOrganization}`.execute(transaction);
    }
    return true;
  });
}

/**
 * Adds marks for deleted readings that might still be in files of any catalog. Must run after
 * `shareOrganization`, in the transaction that deletes the readings.
 */
export async function markDeleted(
  access: StoreAccess,
  { organization_id, ...deletion }: Omit<DeletedReadingsRow, 'place'>,
): Promise<void> {
  const rows = await access
    .selectFrom('lake_progress')
    .select(['place', 'sealed_through'])
    .where('organization_id', '=', organization_id)
    .orderBy('place')
    .execute();
  for (const { place, sealed_through: sealed } of rows) {
    // Later readings aren't listed as cold if they were deleted in the meantime. A mark for them
    // would remain for as long as readings stay in the records.
    const through_id =
      place === COLD_CATALOG ? Math.min(deletion.through_id, sealed) : deletion.through_id;
    if (through_id === 0) continue;
    await access
      .insertInto('deleted_readings')
      .values({ place, organization_id, ...deletion, through_id })
      .onConflict((conflict) =>
        conflict.columns(['place', 'series_id', 'day', 'through_id']).doUpdateSet({
          // Two deletions can have the same key for cold readings. Neither must undo the other.
          deleted_to: sql<number>`case when deleted_readings.deleted_to > excluded.deleted_to
            then deleted_readings.deleted_to else excluded.deleted_to end`,
        }),
      )
      .execute();
  }
}
