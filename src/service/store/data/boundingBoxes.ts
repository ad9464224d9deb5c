import { queryByIds } from '../idBatches';
import type { StoreAccess } from '../store';
import type { BoundingBoxRow } from './dataSchema';
import { groupByItem } from './groupByItem';

/**
 * Number of boxes per statement. Both databases support far more parameters than these boxes
 * require.
 */
const BATCH = 1000;

/** Box that hasn't been added to an item yet. */
export type NewBox = Omit<BoundingBoxRow, 'binary_id' | 'series_id' | 'requested_at' | 'file_size'>;

/** Adds boxes to an item. Has no effect if the item was deleted. */
export async function insertBoxes(
  access: StoreAccess,
  binaryId: string,
  boxes: readonly NewBox[],
): Promise<void> {
  if (boxes.length === 0) {
    return;
  }
  const item = await access
    .selectFrom('binary_data')
    .select(['id as binary_id', 'series_id', 'requested_at', 'file_size'])
    .where('id', '=', binaryId)
    .executeTakeFirst();
  for (let start = 0; item !== undefined && start < boxes.length; start += BATCH) {
    const rows = boxes.slice(start, start + BATCH).map((box) => ({ ...box, ...item }));
    await access.insertInto('bounding_boxes').values(rows).execute();
  }
}

/** Removes a box from an image. Returns false if the image doesn't contain the box. */
export async function deleteBox(
  access: StoreAccess,
  binaryId: string,
  boxId: string,
): Promise<boolean> {
  const { numDeletedRows } = await access
    .deleteFrom('bounding_boxes')
    .where('id', '=', boxId)
    .where('binary_id', '=', binaryId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Returns the boxes of items by item ID. */
export async function boxesByItem(
  access: StoreAccess,
  ids: readonly string[],
): Promise<Map<string, BoundingBoxRow[]>> {
  const rows = await queryByIds(ids, (batch) =>
    access
      .selectFrom('bounding_boxes')
      .selectAll()
      .where('binary_id', 'in', batch)
      .orderBy('label')
      .orderBy('id')
      .execute(),
  );
  return groupByItem(rows, (row) => row);
}
