import { sql } from 'kysely';
import { inBatches, queryByIds } from '../idBatches';
import type { StoreAccess } from '../store';
import type { BinarySelection } from './binaryFilter';
import { idsInBatches } from './binaryPages';
import { groupByItem } from './groupByItem';

/** Items that lose a tag at a time. */
const REMOVED_AT_ONCE = 5000;

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

/** Puts tags on items; a tag that is there stays. Run it in a transaction. */
export async function addTags(
  access: StoreAccess,
  ids: readonly string[],
  tags: readonly string[],
): Promise<void> {
  if (tags.length === 0) {
    return;
  }
  await inBatches(ids, async (batch) => {
    // First, as it locks the items: other changes of their tags wait, and see these then.
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

/** Puts tags on all items of a selection; a tag that is there stays. Run it in a transaction. */
export async function addTagsToSelection(
  access: StoreAccess,
  selection: BinarySelection,
  tags: readonly string[],
): Promise<void> {
  for await (const ids of idsInBatches(access, selection)) {
    await addTags(access, ids, tags);
  }
}

/** Takes tags off items. Answers how many it took off. Run it in a transaction. */
export async function removeTags(
  access: StoreAccess,
  ids: readonly string[],
  tags: readonly string[],
): Promise<number> {
  let removed = 0;
  await inBatches(ids, async (batch) => {
    // As above; an item without a tag has none to take off.
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
 * Takes tags off all items of a selection. Answers how many it took off. Run it in a transaction.
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

/** Takes a tag off every item that has it. Run it in a transaction. */
export async function removeTagEverywhere(access: StoreAccess, tag: string): Promise<void> {
  for (;;) {
    const rows = await access
      .selectFrom('binary_tags')
      .select('binary_id')
      .where('tag', '=', tag)
      .limit(REMOVED_AT_ONCE)
      .execute();
    if (rows.length === 0) {
      return;
    }
    await removeTags(
      access,
      rows.map(({ binary_id }) => binary_id),
      [tag],
    );
  }
}
