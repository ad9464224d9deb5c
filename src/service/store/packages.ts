import { queryByIds } from './idBatches';
import type { PackageFileRow, PackageVersionRow } from './packageSchema';
import type { StoreAccess } from './store';

/** A version to write down, which gets its place in their order by itself. */
export type NewPackageVersion = Omit<PackageVersionRow, 'sequence'>;

/** Writes a version down unless it is there: the first upload says what is said of it. */
export async function noteVersion(access: StoreAccess, version: NewPackageVersion): Promise<void> {
  await access
    .insertInto('package_versions')
    .values(version)
    .onConflict((conflict) => conflict.columns(['item_id', 'version']).doNothing())
    .execute();
}

/**
 * Adds the archive of a version for a platform.
 * @returns false, with nothing added, when the version has one for it.
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

/** Whether a version has an archive for exactly this platform. */
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

/** An archive by its own id. */
export async function findPackageFile(
  access: StoreAccess,
  id: string,
): Promise<PackageFileRow | undefined> {
  return access.selectFrom('package_files').selectAll().where('id', '=', id).executeTakeFirst();
}

/** What lists tell of a version. */
export type PackageVersionSummary = Pick<PackageVersionRow, 'item_id' | 'version' | 'created_at'>;

/** The versions of these items in the order in which they were made, without what was said of them. */
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

/** The versions of an item in the order in which they were made. */
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

/** A version of an item, with what was said of the item when it was made. */
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

/** Versions of several items, each with what was said of its item then, in one query for all of them. */
export async function findVersions(
  access: StoreAccess,
  wanted: readonly Pick<PackageVersionRow, 'item_id' | 'version'>[],
): Promise<PackageVersionRow[]> {
  const itemIds = wanted.map(({ item_id }) => item_id);
  const versions = wanted.map(({ version }) => version);
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
  const keys = new Set(wanted.map((one) => versionKey(one)));
  return rows.filter((row) => keys.has(versionKey(row)));
}

function versionKey({ item_id, version }: Pick<PackageVersionRow, 'item_id' | 'version'>): string {
  return `${item_id} ${version}`;
}

/** What lists tell of an archive: without what is said of its contents, which may be long. */
export type PackageFileSummary = Omit<PackageFileRow, 'info' | 'platform_tags'> & {
  /** Characters of it. */
  info_length: number;
};

/** The archives of these items in the order in which their versions were made, those of one by platform. */
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

/** What is said of the contents of these archives, by their ids. */
export async function listPackageInfos(
  access: StoreAccess,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await queryByIds(ids, (batch) =>
    access.selectFrom('package_files').select(['id', 'info']).where('id', 'in', batch).execute(),
  );
  return new Map(rows.map(({ id, info }) => [id, info]));
}

/** The hashes of an item's contents, those of one version or of all. */
export async function contentsOf(
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
