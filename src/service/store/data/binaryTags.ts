import { sql } from 'kysely';
import { queryByIds } from '../idBatches';
import type { StoreAccess } from '../store';
import { type BinarySelection, selectBinaryData } from './binaryFilter';
import { groupByItem } from './groupByItem';

/** The tags of items by the items' ids, in alphabetical order. */
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

/** Puts tags on items; a tag that is there stays. */
export async function addTags(
  access: StoreAccess,
  ids: readonly string[],
  tags: readonly string[],
): Promise<void> {
  for (const tag of tags) {
    await queryByIds(ids, (batch) =>
      access
        .insertInto('binary_tags')
        .values(batch.map((id) => ({ binary_id: id, tag })))
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
  }
}

/** Puts tags on all items of a selection; a tag that is there stays. */
export async function addTagsToSelection(
  access: StoreAccess,
  selection: BinarySelection,
  tags: readonly string[],
): Promise<void> {
  for (const tag of tags) {
    await access
      .insertInto('binary_tags')
      .columns(['binary_id', 'tag'])
      .expression(
        selectBinaryData(access, selection).select([
          'id',
          sql<string>`cast(${tag} as text)`.as('tag'),
        ]),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Takes tags off items. Answers how many it took off. */
export async function removeTags(
  access: StoreAccess,
  ids: readonly string[],
  tags: readonly string[],
): Promise<number> {
  const results = await queryByIds(ids, (batch) =>
    access
      .deleteFrom('binary_tags')
      .where('binary_id', 'in', batch)
      .where('tag', 'in', tags)
      .execute(),
  );
  return results.reduce((sum, { numDeletedRows }) => sum + Number(numDeletedRows), 0);
}

/** Takes tags off all items of a selection. Answers how many it took off. */
export async function removeTagsFromSelection(
  access: StoreAccess,
  selection: BinarySelection,
  tags: readonly string[],
): Promise<number> {
  const { numDeletedRows } = await access
    .deleteFrom('binary_tags')
    .where('binary_id', 'in', selectBinaryData(access, selection).select('id'))
    .where('tag', 'in', tags)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** The tags on the items of a selection, in alphabetical order. */
export async function listTags(access: StoreAccess, selection: BinarySelection): Promise<string[]> {
  const rows = await access
    .selectFrom('binary_tags')
    .select('tag')
    .distinct()
    .where('binary_id', 'in', selectBinaryData(access, selection).select('id'))
    .orderBy('tag')
    .execute();
  return rows.map(({ tag }) => tag);
}
