import { queryByIds } from '../idBatches';
import type { StoreAccess } from '../store';
import { noteItems } from './binaryCounts';
import { ensureBinarySeriesId, toBinarySeries } from './binarySeries';
import type { BinaryDataRow } from './dataSchema';
import { type DataScope, inScope } from './dataScope';

/** Item to store. It doesn't have tags yet. */
export type NewBinaryData = Omit<BinaryDataRow, 'series_id' | 'is_tagged'>;

/** Stores an item. Must run in a transaction. */
export async function insertBinaryData(access: StoreAccess, item: NewBinaryData): Promise<void> {
  const series_id = await ensureBinarySeriesId(access, toBinarySeries(item));
  const row = { ...item, series_id, is_tagged: 0 } as const;
  await access.insertInto('binary_data').values(row).execute();
  await noteItems(access, [row], 'stored');
}

/** Returns the items with the given IDs that are in all of the scopes. */
export async function findBinaryData(
  access: StoreAccess,
  ids: readonly string[],
  scopes: readonly DataScope[],
): Promise<BinaryDataRow[]> {
  return queryByIds(ids, (batch) =>
    access
      .selectFrom('binary_data')
      .selectAll()
      .where('id', 'in', batch)
      .where((eb) => eb.and(scopes.map((scope) => inScope(eb, scope))))
      .execute(),
  );
}

/** Returns true if an item with this ID exists. */
export async function hasBinaryData(access: StoreAccess, id: string): Promise<boolean> {
  const row = await access
    .selectFrom('binary_data')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Deletes items by ID. Returns the content hash of each deleted item. Must run in a transaction.
 */
export async function deleteBinaryData(
  access: StoreAccess,
  ids: readonly string[],
): Promise<string[]> {
  const removed = await queryByIds(ids, (batch) =>
    access.deleteFrom('binary_data').where('id', 'in', batch).returning(REMOVED_COLUMNS).execute(),
  );
  await noteItems(access, removed, 'removed');
  return removed.map(({ blob_hash }) => blob_hash);
}

const REMOVED_COLUMNS = ['series_id', 'requested_at', 'file_size', 'blob_hash'] as const;
