import { sql } from 'kysely';
import { inBatches, queryByIds } from '../idBatches';
import type { StoreAccess } from '../store';
import type { BinarySelection } from './binaryFilter';
import { idsInBatches } from './binaryPages';
import { groupByItem } from './groupByItem';

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
  if (tags.length === 0) {
    return;
  }
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
 * Adds tags to all items of a selection. Existing tags aren't affected. Must run in a transaction.
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
 * Removes tags from all items of a selection and returns the number of removed tags. Must run in a
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
