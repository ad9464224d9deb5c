import { sql } from 'kysely';
import { inBatches, queryByIds } from '../identifiers';
import type { StoreAccess } from '../store';
import { type BinarySelection, type Lead, markedItemConditions } from './binaryFilter';
import { idsInBatches, matchesBinarySelection } from './binaryPages';
import type { BoundingBoxRow } from './dataSchema';

/** Number of items per batch when a tag is removed. */
const REMOVED_AT_ONCE = 5000;

/** Returns the tags of items by item ID, in alphabetical order. */
export async function tagsByItem(
  access: StoreAccess,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await queryByIds(ids, (batch) =>
    access
      .selectFrom('binary_tags')
      .selectAll()
      .where('binary_id', 'in', batch)
      .orderBy('tag')
      .execute(),
  );
  return groupByItem(rows, ({ tag }) => tag);
}

/** Adds tags to items. Existing tags aren't affected. Must run in a transaction. */
export async function addTags(
  access: StoreAccess,
  ids: readonly string[],
  tags: readonly string[],
): Promise<void> {
  if (tags.length === 0) return;
  await inBatches(ids, async (batch) => {
    // Must be first, because it locks the items. Concurrent changes to their tags wait, and then
    // see these tags.
    await access
      .updateTable('binary_data')
      .set({ is_tagged: 1 })
      .where('id', 'in', batch)
      .execute();
    for (const tag of tags) {
      await access
        .insertInto('binary_tags')
        .columns(['binary_id', 'tag', 'series_id', 'requested_at', 'file_size'])
        .expression(
          access
            .selectFrom('binary_data')
            .select([
              'id',
              sql<string>`cast(${tag} as text)`.as('tag'),
              ...(['series_id', 'requested_at', 'file_size'] as const),
            ])
            .where('id', 'in', batch),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  });
}

/**
 * Adds tags to all items in a selection. Existing tags aren't affected. Must run in a transaction.
 */
export async function addTagsToSelection(
  access: StoreAccess,
  selection: BinarySelection,
  tags: readonly string[],
): Promise<void> {
  for await (const ids of idsInBatches(access, selection)) {
    await addTags(access, ids, tags);
  }
}

/** Removes tags from items and returns the number of removed tags. Must run in a transaction. */
export async function removeTags(
  access: StoreAccess,
  ids: readonly string[],
  tags: readonly string[],
): Promise<number> {
  let removed = 0;
  await inBatches(ids, async (batch) => {
    // Must be first, because it locks the items, as above. Items without tags are skipped.
    const tagged = access.updateTable('binary_data').where('id', 'in', batch);
    await tagged.set({ is_tagged: 1 }).where('is_tagged', '=', 1).execute();
    const { numDeletedRows } = await access
      .deleteFrom('binary_tags')
      .where('binary_id', 'in', batch)
      .where('tag', 'in', tags)
      .executeTakeFirstOrThrow();
    removed += Number(numDeletedRows);
    await tagged
      .set({ is_tagged: 0 })
      .where('is_tagged', '=', 1)
      .where(
        sql<boolean>`not exists (select t.tag from binary_tags t
        where t.binary_id = binary_data.id)`,
      )
      .execute();
  });
  return removed;
}

/**
 * Removes tags from all items in a selection and returns the number of removed tags. Must run in a
 * transaction.
 */
export async function removeTagsFromSelection(
  access: StoreAccess,
  selection: BinarySelection,
  tags: readonly string[],
): Promise<number> {
  let removed = 0;
  for await (const ids of idsInBatches(access, selection)) {
    removed += await removeTags(access, ids, tags);
  }
  return removed;
}

/** Removes a tag from every item that has it. Must run in a transaction. */
export async function removeTagEverywhere(access: StoreAccess, tag: string): Promise<void> {
  for (;;) {
    const rows = await access
      .selectFrom('binary_tags')
      .select('binary_id')
      .where('tag', '=', tag)
      .limit(REMOVED_AT_ONCE)
      .execute();
    if (rows.length === 0) return;
    await removeTags(
      access,
      rows.map(({ binary_id }) => binary_id),
      [tag],
    );
  }
}

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
  if (boxes.length === 0) return;
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

/**
 * Returns all distinct tags, or all distinct box labels, on the items in a selection, in
 * alphabetical order. Uses a skip scan of each series' index, so the cost depends on the number of
 * distinct values rather than the number of items.
 */
export async function listMarks(
  access: StoreAccess,
  selection: BinarySelection,
  { table, column }: Pick<Lead, 'table' | 'column'>,
): Promise<string[]> {
  const [marks, mark] = [sql.table(table), sql.ref(column)];
  const { rows } = await sql<{ mark: string }>`
    with recursive marked (series_id, mark) as (
      select s.id, (select min(f.${mark}) from ${marks} f where f.series_id = s.id)
        from binary_series s where ${matchesBinarySelection(selection)}
      union all
      select marked.series_id, (select min(n.${mark}) from ${marks} n
          where n.series_id = marked.series_id and n.${mark} > marked.mark)
        from marked where marked.mark is not null
    )
    select distinct mark from marked
    where mark is not null and exists (select m.binary_id from ${marks} m
      where m.series_id = marked.series_id and m.${mark} = marked.mark
      and ${markedItemConditions(selection)})
    order by mark`.execute(access);
  return rows.map((row) => row.mark);
}

/** Groups row values by item ID, in row order. */
export function groupByItem<Row extends { binary_id: string }, Value>(
  rows: readonly Row[],
  valueOf: (row: Row) => Value,
): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const row of rows) {
    const group = groups.get(row.binary_id);
    if (group === undefined) {
      groups.set(row.binary_id, [valueOf(row)]);
    } else {
      group.push(valueOf(row));
    }
  }
  return groups;
}
