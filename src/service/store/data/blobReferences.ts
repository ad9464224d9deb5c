import { queryByIds } from '../identifiers';
import type { StoreAccess } from '../store';
import { COLD_CATALOG } from './lakeManifest';

/**
 * Records a blob before it is created, so that a collector finds it after a crash, and locks its row
 * until the transaction commits. The grace period of its deletion begins again.
 * @returns the generation that its bytes must be stored as. In the transaction that refers to the
 *   blob, a different one means that a collector has deleted the bytes or is about to.
 */
export async function announceBlob(
  access: StoreAccess,
  blob: { hash: string; size: number },
): Promise<number> {
  const { generation } = await access
    .insertInto('blobs')
    .values({ ...blob, generation: 0, unreferenced_at: null, collected_at: null })
    .onConflict((conflict) =>
      conflict
        .column('hash')
        .doUpdateSet({ size: blob.size, unreferenced_at: null, collected_at: null }),
    )
    .returning('generation')
    .executeTakeFirstOrThrow();
  return generation;
}

/** Tables that refer to blobs: captured data, archives of packages, and files of readings. */
const REFERRING_TABLES = ['binary_data', 'package_files', 'lake_files'] as const;
const ITEM_KINDS = { binary_data: 'binary data', package_files: 'package file' } as const;

/** State of a blob's deletion. Times are in milliseconds since 1970. */
export interface BlobState {
  generation: number;
  /** Time since which the blob has been known to be unreferenced. */
  unreferenced_at: number | null;
  /** Time when the objects of earlier generations were deleted. */
  collected_at: number | null;
}

/**
 * Returns the unreferenced blobs among the next `count` blobs after a given hash, and the last hash
 * among these `count` blobs.
 */
export async function unreferencedBlobs(
  access: StoreAccess,
  after: string,
  count: number,
): Promise<{ blobs: (BlobState & { hash: string })[]; last: string | undefined }> {
  const rows = await access
    .selectFrom('blobs')
    .select(['hash', 'generation', 'unreferenced_at', 'collected_at'])
    .where('hash', '>', after)
    .orderBy('hash')
    .limit(count)
    .execute();
  const used = await referredBlobs(
    access,
    rows.map(({ hash }) => hash),
  );
  return { blobs: rows.filter(({ hash }) => !used.has(hash)), last: rows.at(-1)?.hash };
}

/** A blob that is in use. */
export interface ReferencedBlob {
  hash: string;
  size: number;
}

/** Returns at most `count` referenced blobs after a hash, in hash order. */
export async function referencedBlobs(
  access: StoreAccess,
  after: string,
  count: number,
): Promise<ReferencedBlob[]> {
  return access
    .selectFrom('blobs as b')
    .select(['b.hash', 'b.size'])
    .where('b.hash', '>', after)
    .where((eb) =>
      eb.or(
        REFERRING_TABLES.map((table) =>
          eb.exists(eb.selectFrom(table).select('blob_hash').whereRef('blob_hash', '=', 'b.hash')),
        ),
      ),
    )
    .orderBy('b.hash')
    .limit(count)
    .execute();
}

/**
 * Locks a blob's row. Must run in a transaction.
 * @returns undefined if the blob is referenced or has no row.
 */
export async function lockUnreferencedBlob(
  access: StoreAccess,
  hash: string,
): Promise<BlobState | undefined> {
  const locked = await access
    .updateTable('blobs')
    .set((eb) => ({ size: eb.ref('size') }))
    .where('hash', '=', hash)
    .returning(['generation', 'unreferenced_at', 'collected_at'])
    .executeTakeFirst();
  if (locked === undefined) return undefined;
  return (await referredBlobs(access, [hash])).size === 0 ? locked : undefined;
}

/** Changes the state of a blob that the caller has locked. */
export async function updateBlobState(
  access: StoreAccess,
  hash: string,
  state: Partial<BlobState>,
): Promise<void> {
  await access.updateTable('blobs').set(state).where('hash', '=', hash).execute();
}

/** Returns the given blobs that have records, whether they are referenced or not. */
export async function recordedBlobs(
  access: StoreAccess,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await queryByIds(hashes, (batch) =>
    access.selectFrom('blobs').select('hash').where('hash', 'in', batch).execute(),
  );
  return new Set(rows.map(({ hash }) => hash));
}

/** Returns an item that refers to a blob, for messages: its kind and ID. */
export async function findReferrer(access: StoreAccess, hash: string): Promise<string | undefined> {
  for (const table of ['binary_data', 'package_files'] as const) {
    const row = await access
      .selectFrom(table)
      .select('id')
      .where('blob_hash', '=', hash)
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) return `${ITEM_KINDS[table]} "${row.id}"`;
  }
  const file = await access
    .selectFrom('lake_files')
    .select(['organization_id', 'place'])
    .where('blob_hash', '=', hash)
    .executeTakeFirst();
  if (file === undefined) return undefined;
  const readings = `readings of organization "${file.organization_id}"`;
  return file.place === COLD_CATALOG
    ? `old ${readings} (the only copy, so restore it from a backup)`
    : `the ${readings}, which the next query rebuilds from the records`;
}

/** Returns the given blobs that are referenced. */
async function referredBlobs(
  access: StoreAccess,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const table of REFERRING_TABLES) {
    const rows = await queryByIds(hashes, (batch) =>
      access
        .selectFrom('blobs as b')
        .select('b.hash')
        .where('b.hash', 'in', batch)
        .where((eb) =>
          eb.exists(eb.selectFrom(table).select('blob_hash').whereRef('blob_hash', '=', 'b.hash')),
        )
        .execute(),
    );
    rows.forEach(({ hash }) => found.add(hash));
  }
  return found;
}

export async function deleteBlobRow(access: StoreAccess, hash: string): Promise<void> {
  await access.deleteFrom('blobs').where('hash', '=', hash).execute();
}
