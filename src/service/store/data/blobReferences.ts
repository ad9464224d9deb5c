import type { StoreAccess } from '../store';

/** Notes that a blob may come to be, before it does: a crash then leaves a row to clean up after. */
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
 * Lets one transaction at a time decide about a blob, until it commits. The row is there afterwards,
 * also if somebody has cleaned it up since it was announced.
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

/** The blobs after a hash that no item refers to, among the next `count`; and where those end. */
export async function unreferencedBlobs(
  access: StoreAccess,
  after: string,
  count: number,
): Promise<{ hashes: string[]; last: string | undefined }> {
  const rows = await access
    .selectFrom('blobs as b')
    .select((eb) => [
      'b.hash',
      eb
        .selectFrom('binary_data as d')
        .select('d.id')
        .whereRef('d.blob_hash', '=', 'b.hash')
        .limit(1)
        .as('used_by'),
    ])
    .where('b.hash', '>', after)
    .orderBy('b.hash')
    .limit(count)
    .execute();
  return {
    hashes: rows.filter(({ used_by }) => used_by === null).map(({ hash }) => hash),
    last: rows.at(-1)?.hash,
  };
}

/** Locks the row of a blob if no item refers to it. Run it in a transaction. */
export async function lockUnreferencedBlob(access: StoreAccess, hash: string): Promise<boolean> {
  const locked = await access
    .updateTable('blobs')
    .set((eb) => ({ size: eb.ref('size') }))
    .where('hash', '=', hash)
    .executeTakeFirst();
  if (locked.numUpdatedRows === 0n) {
    return false;
  }
  const user = await access
    .selectFrom('binary_data')
    .select('id')
    .where('blob_hash', '=', hash)
    .limit(1)
    .executeTakeFirst();
  return user === undefined;
}

export async function forgetBlob(access: StoreAccess, hash: string): Promise<void> {
  await access.deleteFrom('blobs').where('hash', '=', hash).execute();
}
