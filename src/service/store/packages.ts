import { queryByIds } from './identifiers';
import type { PackageFileRow, PackageVersionRow } from './registrySchema';
import type { StoreAccess } from './store';

/** Version to insert. Its sequence number is assigned automatically. */
export type NewPackageVersion = Omit<PackageVersionRow, 'sequence'>;

/**
 * Inserts a version if it doesn't exist yet. The first upload therefore determines the version's
 * description.
 */
export async function noteVersion(access: StoreAccess, version: NewPackageVersion): Promise<void> {
  await access
    .insertInto('package_versions')
    .values(version)
    .onConflict((conflict) => conflict.columns(['item_id', 'version']).doNothing())
    .execute();
}

/**
 * Adds a version's archive for a platform.
 * @returns false, without changes, if the version already has an archive for that platform.
 */
export async function insertPackageFile(
  access: StoreAccess,
  file: PackageFileRow,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await access
    .insertInto('package_files')
    .values(file)
    .onConflict((conflict) => conflict.columns(['item_id', 'version', 'platform']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns true if a version has an archive for exactly this platform. */
export async function hasPackageFile(
  access: StoreAccess,
  { item_id, version, platform }: Pick<PackageFileRow, 'item_id' | 'version' | 'platform'>,
): Promise<boolean> {
  const row = await access
    .selectFrom('package_files')
    .select('id')
    .where('item_id', '=', item_id)
    .where('version', '=', version)
    .where('platform', '=', platform)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns an archive by its ID. */
export async function findPackageFile(
  access: StoreAccess,
  id: string,
): Promise<PackageFileRow | undefined> {
  return access.selectFrom('package_files').selectAll().where('id', '=', id).executeTakeFirst();
}

/** A version's fields that are included in lists. */
export type PackageVersionSummary = Pick<PackageVersionRow, 'item_id' | 'version' | 'created_at'>;

/** Returns the given items' versions in creation order, without descriptions. */
export async function listVersionSummaries(
  access: StoreAccess,
  itemIds: readonly string[],
): Promise<PackageVersionSummary[]> {
  return queryByIds(itemIds, (batch) =>
    access
      .selectFrom('package_versions')
      .select(['item_id', 'version', 'created_at'])
      .where('item_id', 'in', batch)
      .orderBy('sequence')
      .execute(),
  );
}

/** Returns an item's versions in creation order. */
export async function listVersions(
  access: StoreAccess,
  itemId: string,
): Promise<PackageVersionRow[]> {
  return access
    .selectFrom('package_versions')
    .selectAll()
    .where('item_id', '=', itemId)
    .orderBy('sequence')
    .execute();
}

/**
 * Returns a version of an item, including the description that the item had when the version was
 * created.
 */
export async function findVersion(
  access: StoreAccess,
  itemId: string,
  version: string,
): Promise<PackageVersionRow | undefined> {
  return access
    .selectFrom('package_versions')
    .selectAll()
    .where('item_id', '=', itemId)
    .where('version', '=', version)
    .executeTakeFirst();
}

/**
 * Returns multiple versions in a single query, each with the description that its item had when the
 * version was created.
 */
export async function findVersions(
  access: StoreAccess,
  requested: readonly Pick<PackageVersionRow, 'item_id' | 'version'>[],
): Promise<PackageVersionRow[]> {
  const itemIds = requested.map(({ item_id }) => item_id);
  const versions = requested.map(({ version }) => version);
  const rows = await queryByIds(itemIds, (ids) =>
    queryByIds(versions, (batch) =>
      access
        .selectFrom('package_versions')
        .selectAll()
        .where('item_id', 'in', ids)
        .where('version', 'in', batch)
        .execute(),
    ),
  );
  const keys = new Set(requested.map((one) => versionKey(one)));
  return rows.filter((row) => keys.has(versionKey(row)));
}

function versionKey({ item_id, version }: Pick<PackageVersionRow, 'item_id' | 'version'>): string {
  return `${item_id} ${version}`;
}

/** Archive as included in lists. Omits the description of its contents, which can be long. */
export type PackageFileSummary = Omit<PackageFileRow, 'info' | 'platform_tags'> & {
  /** Number of characters in `info`. */
  info_length: number;
};

/**
 * Returns the archives for the given items, sorted by the creation order of their versions and then
 * by platform.
 */
export async function listPackageFiles(
  access: StoreAccess,
  itemIds: readonly string[],
): Promise<PackageFileSummary[]> {
  return queryByIds(itemIds, (batch) =>
    access
      .selectFrom('package_files as file')
      .innerJoin('package_versions as made', (join) =>
        join.onRef('made.item_id', '=', 'file.item_id').onRef('made.version', '=', 'file.version'),
      )
      .select(['file.id', 'file.item_id', 'file.version', 'platform'])
      .select(['blob_hash', 'file_size', 'uploaded_at'])
      .select((eb) => eb.fn<number>('length', ['info']).as('info_length'))
      .where('file.item_id', 'in', batch)
      .orderBy('made.sequence')
      .orderBy('platform')
      .execute(),
  );
}

/** Returns the descriptions of the given archives' contents, by archive ID. */
export async function listPackageInfos(
  access: StoreAccess,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await queryByIds(ids, (batch) =>
    access.selectFrom('package_files').select(['id', 'info']).where('id', 'in', batch).execute(),
  );
  return new Map(rows.map(({ id, info }) => [id, info]));
}

/** Returns the content hashes for one of an item's versions, or for all of them. */
export async function listContentHashes(
  access: StoreAccess,
  itemId: string,
  version?: string,
): Promise<string[]> {
  const rows = await access
    .selectFrom('package_files')
    .select('blob_hash')
    .where('item_id', '=', itemId)
    .$if(version !== undefined, (query) => query.where('version', '=', version ?? ''))
    .execute();
  return rows.map(({ blob_hash }) => blob_hash);
}

/** Deletes a version with its archives. */
export async function deleteVersion(
  access: StoreAccess,
  itemId: string,
  version: string,
): Promise<void> {
  await access
    .deleteFrom('package_versions')
    .where('item_id', '=', itemId)
    .where('version', '=', version)
    .execute();
}
