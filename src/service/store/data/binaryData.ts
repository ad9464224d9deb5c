import { sql } from 'kysely';
import { queryByIds } from '../identifiers';
import type { StoreAccess } from '../store';
import { ensureBinarySeriesId, selectMatchingSeries, toBinarySeries } from './binaryPages';
import type { BinaryDataRow } from './dataSchema';
import { all, isOneOf } from './conditions';
import { type DataScope, inScope } from './dataScope';
import type { Micros } from '../micros';
import {
  type BinarySelection,
  findIndexLead,
  hasItemConditions,
  itemConditions,
  type Lead,
  leadConditions,
} from './binaryFilter';
import { type Count, countByDays, type Span, sums, toUtcDay } from './dayCounts';

/** Item to store. It doesn't have tags yet. */
export type NewBinaryData = Omit<BinaryDataRow, 'series_id' | 'is_tagged'>;

/** Stores an item. Must run in a transaction. */
export async function insertBinaryData(access: StoreAccess, item: NewBinaryData): Promise<void> {
  const series_id = await ensureBinarySeriesId(access, toBinarySeries(item));
  const row = { ...item, series_id, is_tagged: 0 } as const;
  await access.insertInto('binary_data').values(row).execute();
  await noteItems(access, [row], 'stored');
}

/** Returns the items with the given IDs that are in all of the given scopes. */
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
      .where(all(scopes.map((scope) => inScope('binary_data', scope))))
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

/**
 * Returns the number of items in a selection and the total size, in bytes, of their contents.
 * Selections by mark are counted with the marks index, and selections without mark conditions with
 * the daily counts.
 */
export async function countBinaryData(
  access: StoreAccess,
  selection: BinarySelection,
): Promise<Count> {
  const lead = findIndexLead(selection);
  if (lead !== undefined) return countAlong(access, selection, lead);
  if (hasItemConditions(selection)) return countOneByOne(access, selection);
  return countByDays(
    selection.filter,
    (days) => countDays(access, selection, days),
    (span) => countOneByOne(access, { ...selection, filter: { ...selection.filter, ...span } }),
  );
}

async function countAlong(
  access: StoreAccess,
  selection: BinarySelection,
  lead: Lead,
): Promise<Count> {
  const { table, column, values } = lead;
  // An item with more than one of the marks must be counted only once. `distinct` isn't needed for
  // a single tag, because an item has each tag only once.
  const distinct = table === 'binary_tags' && values.length === 1 ? sql`` : sql`distinct`;
  return sums(
    access,
    sql`select count(*) as count, sum(file_size) as bytes from (
      select ${distinct} binary_id, file_size from ${sql.table(table)}
      where ${isOneOf(column, values)}
      and (+series_id) in ${selectMatchingSeries(selection)} and ${leadConditions(selection, lead)}
    ) marked`,
  );
}

async function countDays(
  access: StoreAccess,
  selection: BinarySelection,
  { start, end }: Span<number>,
): Promise<Count> {
  return sums(
    access,
    sql`select sum(row_count) as count, sum(byte_count) as bytes from binary_days
      where series_id in ${selectMatchingSeries(selection)}
      and ${start === undefined ? sql`1 = 1` : sql`day >= ${start}`}
      and ${end === undefined ? sql`1 = 1` : sql`day < ${end}`}`,
  );
}

async function countOneByOne(access: StoreAccess, selection: BinarySelection): Promise<Count> {
  return sums(
    access,
    sql`select count(*) as count, sum(file_size) as bytes from binary_data
      where series_id in ${selectMatchingSeries(selection)} and ${itemConditions(selection)}`,
  );
}

/** An item's fields that are needed for the daily counts. */
export interface CountedItem {
  series_id: number;
  requested_at: Micros;
  file_size: number;
}

/** Updates the counts after items have been stored or deleted. Must run in the same transaction. */
async function noteItems(
  access: StoreAccess,
  items: readonly CountedItem[],
  change: 'stored' | 'removed',
): Promise<void> {
  const sign = change === 'stored' ? 1 : -1;
  const days = new Map<string, { series_id: number; day: number } & Count>();
  for (const { series_id, requested_at, file_size } of items) {
    const day = toUtcDay(requested_at);
    const key = `${String(series_id)} ${String(day)}`;
    const { count, bytes } = days.get(key) ?? { count: 0, bytes: 0 };
    days.set(key, { series_id, day, count: count + sign, bytes: bytes + sign * file_size });
  }
  // Always sorted in the same order to prevent deadlocks between transactions.
  const ordered = [...days.values()].sort((a, b) => a.series_id - b.series_id || a.day - b.day);
  for (const { series_id, day, count, bytes } of ordered) {
    await sql`insert into binary_days (series_id, day, row_count, byte_count)
      values (${series_id}, ${day}, ${count}, ${bytes})
      on conflict (series_id, day) do update set
        row_count = binary_days.row_count + ${count},
        byte_count = binary_days.byte_count + ${bytes}`.execute(access);
    if (change === 'removed') {
      await sql`delete from binary_days
        where series_id = ${series_id} and day = ${day} and row_count <= 0`.execute(access);
    }
  }
}
