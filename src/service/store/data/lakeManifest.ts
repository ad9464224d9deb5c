import { lockRow, type Store, type StoreAccess } from '../store';
import type { DeletedReadingsRow, LakeFileRow } from './dataSchema';

/** Key of an organization's readings in one folder of files. */
export interface LakeKey {
  folderId: string;
  organizationId: string;
}

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

/** Returns the highest ID among all readings. Later readings have higher IDs. */
export async function lastReadingId(access: StoreAccess): Promise<number> {
  const row = await access
    .selectFrom('readings')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? 0;
}

/** Returns the highest ID in the marks of deleted readings. */
async function lastDeletedId(access: StoreAccess, key: LakeKey): Promise<number> {
  const row = await access
    .selectFrom('deleted_readings')
    .select('through_id')
    .where('organization_id', '=', key.organizationId)
    .where('place', '=', key.folderId)
    .orderBy('through_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.through_id ?? 0;
}

async function sealedThrough(access: StoreAccess, key: LakeKey): Promise<number | undefined> {
  const row = await access
    .selectFrom('lake_progress')
    .select('sealed_through')
    .where('place', '=', key.folderId)
    .where('organization_id', '=', key.organizationId)
    .executeTakeFirst();
  return row?.sealed_through;
}

async function insertProgress(access: StoreAccess, key: LakeKey): Promise<void> {
  await access
    .insertInto('lake_progress')
    .values({ place: key.folderId, organization_id: key.organizationId, sealed_through: 0 })
    .onConflict((conflict) => conflict.columns(['place', 'organization_id']).doNothing())
    .execute();
}

/**
 * Adds files that contain a sealed range of readings to the list. From then on, queries read them.
 * @returns true if successful; false if the organization was deleted or another service has already
 *   sealed the range.
 */
export async function listSealed(
  store: Store,
  { folderId, organizationId }: LakeKey,
  { after, through }: UnsealedRange,
  files: readonly LakeFileRow[],
): Promise<boolean> {
  return store.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('lake_progress')
      .set({ sealed_through: through })
      .where('place', '=', folderId)
      .where('organization_id', '=', organizationId)
      .where('sealed_through', '=', after)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await insertFiles(transaction, files);
    return true;
  });
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
  { folderId, organizationId }: LakeKey,
): Promise<{ files: LakeFileRow[]; deletions: DeletedReadingsRow[] }> {
  const deletions = await access
    .selectFrom('deleted_readings')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('place', '=', folderId)
    .execute();
  const files = await access
    .selectFrom('lake_files')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('place', '=', folderId)
    .orderBy('day')
    .orderBy('name')
    .execute();
  return { files, deletions };
}

/** Returns true if there are deletions that might affect files. */
export async function hasDeletions(
  access: StoreAccess,
  { folderId, organizationId }: LakeKey,
): Promise<boolean> {
  const row = await access
    .selectFrom('deleted_readings')
    .select('day')
    .where('organization_id', '=', organizationId)
    .where('place', '=', folderId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Files that were merged. */
export interface MergedFiles {
  sources: readonly LakeFileRow[];
  /** Result of the merge; absent if no readings remain. */
  result: LakeFileRow | undefined;
  /** Deletions that no longer affect any file. */
  appliedDeletions: readonly DeletedReadingsRow[];
}

/**
 * Replaces files in the list with the file into which they were merged.
 * @returns true if successful; false if one of the files is no longer listed.
 */
export async function listMerged(
  store: Store,
  { folderId, organizationId }: LakeKey,
  { sources, result, appliedDeletions }: MergedFiles,
): Promise<boolean> {
  const names = sources.map(({ name }) => name);
  const swap = store.transaction().execute(async (transaction) => {
    await lockRow(transaction, 'organizations', organizationId);
    if (names.length > 0) {
      const { numDeletedRows } = await transaction
        .deleteFrom('lake_files')
        .where('name', 'in', names)
        .executeTakeFirst();
      if (Number(numDeletedRows) < names.length) throw new FilesDeletedError();
    }
    await insertFiles(transaction, result === undefined ? [] : [result]);
    const sealed = (await sealedThrough(transaction, { folderId, organizationId })) ?? 0;
    // Retains the marks of deletions that have progressed since the merge started, or that affect
    // readings that aren't sealed yet.
    for (const { series_id, day, through_id, deleted_to } of appliedDeletions) {
      await transaction
        .deleteFrom('deleted_readings')
        .where('place', '=', folderId)
        .where('series_id', '=', series_id)
        .where('day', '=', day)
        .where('through_id', '=', through_id)
        .where('deleted_to', '=', deleted_to)
        .where('through_id', '<=', sealed)
        .execute();
    }
    return true;
  });
  return swap.catch((error: unknown) => {
    if (error instanceof FilesDeletedError) return false;
    throw error;
  });
}

/**
 * Error thrown to roll back a transaction if another service has removed the files from the list.
 */
class FilesDeletedError extends Error {}

/** Returns all files that are listed for a folder. */
export async function listedFiles(
  access: StoreAccess,
  folderId: string,
): Promise<Pick<LakeFileRow, 'name' | 'organization_id' | 'byte_count'>[]> {
  return access
    .selectFrom('lake_files')
    .select(['name', 'organization_id', 'byte_count'])
    .where('place', '=', folderId)
    .execute();
}

/** Returns the number and the total size of the files that are listed for a folder. */
export async function measureFiles(
  access: StoreAccess,
  folderId: string,
): Promise<{ files: number; bytes: number }> {
  const { files, bytes } = await access
    .selectFrom('lake_files')
    .select((expression) => [
      expression.fn.countAll<number>().as('files'),
      expression.fn.sum<string | number | null>('byte_count').as('bytes'),
    ])
    .where('place', '=', folderId)
    .executeTakeFirstOrThrow();
  // PostgreSQL returns sums as text, and both databases null for a sum of nothing.
  return { files, bytes: Number(bytes) };
}

/**
 * Clears the record of sealed readings in a folder, for one organization or all organizations. The
 * readings will be sealed again.
 */
export async function clearSealed(
  store: Store,
  { folderId, organizationId }: { folderId: string; organizationId?: string },
): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    for (const table of ['lake_files', 'deleted_readings', 'lake_progress'] as const) {
      await transaction
        .deleteFrom(table)
        .where('place', '=', folderId)
        .$if(organizationId !== undefined, (query) =>
          query.where('organization_id', '=', organizationId ?? ''),
        )
        .execute();
    }
  });
}

/**
 * Adds marks for deleted readings that might still be in files in any folder. Must run after
 * `shareOrganization`, in the transaction that deletes the readings.
 */
export async function markDeleted(
  access: StoreAccess,
  { organization_id, ...deletion }: Omit<DeletedReadingsRow, 'place'>,
): Promise<void> {
  const rows = await access
    .selectFrom('lake_progress')
    .select('place')
    .where('organization_id', '=', organization_id)
    .orderBy('place')
    .execute();
  for (const { place: folderId } of rows) {
    await access
      .insertInto('deleted_readings')
      .values({ place: folderId, organization_id, ...deletion })
      .onConflict((conflict) =>
        conflict
          .columns(['place', 'series_id', 'day', 'through_id'])
          .doUpdateSet({ deleted_to: deletion.deleted_to }),
      )
      .execute();
  }
}
