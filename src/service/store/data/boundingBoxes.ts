import { queryByIds } from '../idBatches';
import type { StoreAccess } from '../store';
import { type BinarySelection, selectBinaryData } from './binaryFilter';
import type { BoundingBoxRow } from './dataSchema';
import { groupByItem } from './groupByItem';

/** Columns of a box: both databases take far more than a thousand of them. */
const BATCH = 1000;

export async function insertBoxes(
  access: StoreAccess,
  boxes: readonly BoundingBoxRow[],
): Promise<void> {
  for (let start = 0; start < boxes.length; start += BATCH) {
    await access
      .insertInto('bounding_boxes')
      .values(boxes.slice(start, start + BATCH))
      .execute();
  }
}

/** Removes a box of an image; false when the image has no such box. */
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

/** The boxes of items by the items' ids. */
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

/** The labels of the boxes on the items of a selection, in alphabetical order. */
export async function listBoxLabels(
  access: StoreAccess,
  selection: BinarySelection,
): Promise<string[]> {
  const rows = await access
    .selectFrom('bounding_boxes')
    .select('label')
    .distinct()
    .where('binary_id', 'in', selectBinaryData(access, selection).select('id'))
    .orderBy('label')
    .execute();
  return rows.map(({ label }) => label);
}
