import { sql } from 'kysely';
import { queryByIds } from '../idBatches';
import type { Micros } from '../micros';
import type { StoreAccess } from '../store';
import { type BinarySelection, selectBinaryData } from './binaryFilter';
import type { BinaryDataRow } from './dataSchema';
import { type DataScope, inScope } from './dataScope';

export async function insertBinaryData(access: StoreAccess, row: BinaryDataRow): Promise<void> {
  await access.insertInto('binary_data').values(row).execute();
}

/** The end of a page: the item that it ended with. */
export interface PageEnd {
  requestedAt: Micros;
  id: string;
}

/** Which part of a selection to list, in the order of capture. */
export interface BinaryPage {
  oldestFirst: boolean;
  /** The page begins after this item, whether it is there still or not. */
  after: PageEnd | undefined;
  limit: number;
}

/** A page of a selection. Items that arrive meanwhile neither move nor repeat others. */
export async function pageOfBinaryData(
  access: StoreAccess,
  selection: BinarySelection,
  { oldestFirst, after, limit }: BinaryPage,
): Promise<BinaryDataRow[]> {
  const order = oldestFirst ? 'asc' : 'desc';
  const behind = sql.raw(oldestFirst ? '>' : '<');
  return selectBinaryData(access, selection)
    .selectAll()
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(requested_at, id) ${behind} (${after?.requestedAt}, ${after?.id})`),
    )
    .orderBy('requested_at', order)
    .orderBy('id', order)
    .limit(limit)
    .execute();
}

/** How many items a selection has, and how many bytes their contents have in all. */
export async function countBinaryData(
  access: StoreAccess,
  selection: BinarySelection,
): Promise<{ count: number; bytes: number }> {
  const { count, bytes } = await selectBinaryData(access, selection)
    .select((eb) => [
      eb.fn.countAll<number | string>().as('count'),
      eb.fn.sum<number | string | null>('file_size').as('bytes'),
    ])
    .executeTakeFirstOrThrow();
  // PostgreSQL adds up 64-bit numbers to a decimal, which arrives as text.
  return { count: Number(count), bytes: Number(bytes) };
}

/** The items with these ids that are in each of the scopes. */
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

/**
 * Removes up to `count` items of a selection with all that is marked on them.
 * @returns the hash of the content of each removed item.
 */
export async function deleteSomeBinaryData(
  access: StoreAccess,
  selection: BinarySelection,
  count: number,
): Promise<string[]> {
  const rows = await access
    .deleteFrom('binary_data')
    .where('id', 'in', selectBinaryData(access, selection).select('id').limit(count))
    .returning('blob_hash')
    .execute();
  return rows.map(({ blob_hash }) => blob_hash);
}

/** Removes items by their ids, and answers the hash of the content of each. */
export async function deleteBinaryData(
  access: StoreAccess,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await queryByIds(ids, (batch) =>
    access.deleteFrom('binary_data').where('id', 'in', batch).returning('blob_hash').execute(),
  );
  return rows.map(({ blob_hash }) => blob_hash);
}
