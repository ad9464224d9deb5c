import type { Store, StoreAccess } from '../store';
import { lockRow } from '../rowLocks';
import type { DeletedReadingsRow, LakeFileRow } from './lakeSchema';

/** An organization's readings in the files of a place. */
export interface LakeKey {
  place: string;
  organizationId: string;
}

/** Readings that are not in files yet: those with ids above `after`, up to `through`. */
export interface UnsealedRange {
  after: number;
  through: number;
}

/**
 * Which readings are to be sealed. Everything that was acknowledged before is among them: uploads
 * that are under way are waited for, and those that come later have higher ids.
 * @returns undefined when nothing is.
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
  // What is deleted unsealed leaves nothing to seal, and its mark waits for the sealing to pass it.
  if (next === undefined && (after === undefined || (await lastDeletedId(store, key)) <= after)) {
    return undefined;
  }
  return store.transaction().execute(async (transaction) => {
    await lockRow(transaction, 'organizations', key.organizationId);
    if (after === undefined) {
      await insertProgress(transaction, key);
    }
    const ids = [await lastReadingId(transaction), await lastDeletedId(transaction, key)];
    return { after: after ?? 0, through: Math.max(...ids) };
  });
}

/** The highest id that a reading has; later ones have higher ids. */
export async function lastReadingId(access: StoreAccess): Promise<number> {
  const row = await access
    .selectFrom('readings')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? 0;
}

/** The highest id up to which readings are marked as deleted. */
async function lastDeletedId(access: StoreAccess, key: LakeKey): Promise<number> {
  const row = await access
    .selectFrom('deleted_readings')
    .select('through_id')
    .where('organization_id', '=', key.organizationId)
    .where('place', '=', key.place)
    .orderBy('through_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.through_id ?? 0;
}

async function sealedThrough(access: StoreAccess, key: LakeKey): Promise<number | undefined> {
  const row = await access
    .selectFrom('lake_progress')
    .select('sealed_through')
    .where('place', '=', key.place)
    .where('organization_id', '=', key.organizationId)
    .executeTakeFirst();
  return row?.sealed_through;
}

async function insertProgress(access: StoreAccess, key: LakeKey): Promise<void> {
  await access
    .insertInto('lake_progress')
    .values({ place: key.place, organization_id: key.organizationId, sealed_through: 0 })
    .onConflict((conflict) => conflict.columns(['place', 'organization_id']).doNothing())
    .execute();
}

/**
 * Lists the files that a range of readings was sealed to: from here on queries read them.
 * @returns whether that is done; it is not when the organization is gone, or somebody else has
 *   sealed them.
 */
export async function listSealed(
  store: Store,
  { place, organizationId }: LakeKey,
  { after, through }: UnsealedRange,
  files: readonly LakeFileRow[],
): Promise<boolean> {
  return store.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('lake_progress')
      .set({ sealed_through: through })
      .where('place', '=', place)
      .where('organization_id', '=', organizationId)
      .where('sealed_through', '=', after)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      return false;
    }
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
 * The files of an organization, and what of them is deleted. The deletions are read first: what is
 * merged away in between is then left out twice instead of shown.
 */
export async function lakeContents(
  access: StoreAccess,
  { place, organizationId }: LakeKey,
): Promise<{ files: LakeFileRow[]; deletions: DeletedReadingsRow[] }> {
  const deletions = await access
    .selectFrom('deleted_readings')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('place', '=', place)
    .execute();
  const files = await access
    .selectFrom('lake_files')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('place', '=', place)
    .orderBy('day')
    .orderBy('name')
    .execute();
  return { files, deletions };
}

/** Whether something is deleted that may be in files. */
export async function hasDeletions(
  access: StoreAccess,
  { place, organizationId }: LakeKey,
): Promise<boolean> {
  const row = await access
    .selectFrom('deleted_readings')
    .select('day')
    .where('organization_id', '=', organizationId)
    .where('place', '=', place)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Files that were merged. */
export interface MergedFiles {
  sources: readonly LakeFileRow[];
  /** Absent when nothing was left of them. */
  result: LakeFileRow | undefined;
  /** Deletions that no file has anything of any more. */
  settled: readonly DeletedReadingsRow[];
}

/**
 * Lists what files were merged to in their place.
 * @returns whether that is done; it is not when one of them is listed no more.
 */
export async function listMerged(
  store: Store,
  { place, organizationId }: LakeKey,
  { sources, result, settled }: MergedFiles,
): Promise<boolean> {
  const names = sources.map(({ name }) => name);
  const swap = store.transaction().execute(async (transaction) => {
    await lockRow(transaction, 'organizations', organizationId);
    if (names.length > 0) {
      const { numDeletedRows } = await transaction
        .deleteFrom('lake_files')
        .where('name', 'in', names)
        .executeTakeFirst();
      if (Number(numDeletedRows) < names.length) {
        throw new FilesGone();
      }
    }
    await insertFiles(transaction, result === undefined ? [] : [result]);
    const sealed = (await sealedThrough(transaction, { place, organizationId })) ?? 0;
    // One that went on in the meantime, or has readings that are not sealed yet, stays.
    for (const { series_id, day, through_id, deleted_to } of settled) {
      await transaction
        .deleteFrom('deleted_readings')
        .where('place', '=', place)
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
    if (error instanceof FilesGone) {
      return false;
    }
    throw error;
  });
}

/** Takes back a transaction whose files somebody else has taken off the list. */
class FilesGone extends Error {}

/** Every file that is listed for a place. */
export async function listedFiles(
  access: StoreAccess,
  place: string,
): Promise<Pick<LakeFileRow, 'name' | 'organization_id' | 'byte_count'>[]> {
  return access
    .selectFrom('lake_files')
    .select(['name', 'organization_id', 'byte_count'])
    .where('place', '=', place)
    .execute();
}

/** Forgets what is sealed at a place, of one organization or of all: it will be sealed again. */
export async function forgetSealed(
  store: Store,
  { place, organizationId }: { place: string; organizationId?: string },
): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    for (const table of ['lake_files', 'deleted_readings', 'lake_progress'] as const) {
      await transaction
        .deleteFrom(table)
        .where('place', '=', place)
        .$if(organizationId !== undefined, (query) =>
          query.where('organization_id', '=', organizationId ?? ''),
        )
        .execute();
    }
  });
}

/**
 * Notes that readings are deleted which may be in files of any place. Run it in the transaction that
 * deletes them, after `shareOrganization`.
 */
export async function markDeleted(
  access: StoreAccess,
  { organization_id, ...deletion }: Omit<DeletedReadingsRow, 'place'>,
): Promise<void> {
  const places = await access
    .selectFrom('lake_progress')
    .select('place')
    .where('organization_id', '=', organization_id)
    .orderBy('place')
    .execute();
  for (const { place } of places) {
    await access
      .insertInto('deleted_readings')
      .values({ place, organization_id, ...deletion })
      .onConflict((conflict) =>
        conflict
          .columns(['place', 'series_id', 'day', 'through_id'])
          .doUpdateSet({ deleted_to: deletion.deleted_to }),
      )
      .execute();
  }
}
