import { queryByIds } from '../identifiers';
import type { StoreAccess } from '../store';

/**
 * Records a blob before it is created. After a crash, the row makes it possible to clean up the
 * blob.
 */
export async function announceBlob(
  access: StoreAccess,
  blob: { hash: string; size: number },
): Promise<void> {
  await access
    .insertInto('blobs')
    .values(blob)
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute();
}

/**
 * Locks a blob until the transaction commits. Recreates its row if a cleanup deleted the row after
 * the blob was announced.
 */
export async function lockBlob(
  access: StoreAccess,
  blob: { hash: string; size: number },
): Promise<void> {
  await access
    .insertInto('blobs')
    .values(blob)
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ size: blob.size }))
    .execute();
}

/** Tables that refer to blobs: captured data, and archives of packages. */
const REFERRING_TABLES = ['binary_data', 'package_files'] as const;
const REFERRER_KINDS = { binary_data: 'binary data', package_files: 'package file' } as const;

/**
 * Returns the unreferenced blobs among the next `count` blobs after a given hash, and the last hash
 * among these `count` blobs.
 */
export async function unreferencedBlobs(
  access: StoreAccess,
  after: string,
  count: number,
): Promise<{ hashes: string[]; last: string | undefined }> {
  const rows = await access
    .selectFrom('blobs')
    .select('hash')
    .where('hash', '>', after)
    .orderBy('hash')
    .limit(count)
    .execute();
  const hashes = rows.map(({ hash }) => hash);
  const used = await referredBlobs(access, hashes);
  return { hashes: hashes.filter((hash) => !used.has(hash)), last: hashes.at(-1) };
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

/** Locks a blob's row if it isn't referenced. Must run in a transaction. */
export async function lockUnreferencedBlob(access: StoreAccess, hash: string): Promise<boolean> {
  const locked = await access
    .updateTable('blobs')
    .set((eb) => ({ size: eb.ref('size') }))
    .where('hash', '=', hash)
    .executeTakeFirst();
  if (locked.numUpdatedRows === 0n) return false;
  return (await referredBlobs(access, [hash])).size === 0;
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
  for (const table of REFERRING_TABLES) {
    const row = await access
      .selectFrom(table)
      .select('id')
      .where('blob_hash', '=', hash)
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) return `${REFERRER_KINDS[table]} "${row.id}"`;
  }
  return undefined;
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
