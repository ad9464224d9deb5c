import { type RawBuilder, sql } from 'kysely';
import type { StoreAccess } from '../store';
import type { BinarySelection } from './binaryFilter';
import type { BinarySeriesTable } from './dataSchema';
import { matchesSeriesFilter } from './readingsFilter';
import { ensureSeriesId } from './seriesIds';

/** Properties that the items of a series share. */
export type BinarySeries = Omit<BinarySeriesTable, 'id' | 'series_key'>;

/** Columns that both series and items have. */
export const BINARY_SERIES_COLUMNS = [
  'organization_id',
  'location_id',
  'robot_id',
  'robot_name',
  'part_id',
  'part_name',
  'component_type',
  'component_kind',
  'component_name',
  'method_name',
  'mime_type',
  'is_internal',
] as const satisfies readonly (keyof BinarySeries)[];

/** Returns the series of an item. */
export function toBinarySeries(item: BinarySeries): BinarySeries {
  return Object.fromEntries(
    BINARY_SERIES_COLUMNS.map((column) => [column, item[column]]),
  ) as unknown as BinarySeries;
}

/** Returns the ID of a series. Creates the series if it doesn't exist. */
export async function ensureBinarySeriesId(
  access: StoreAccess,
  series: BinarySeries,
): Promise<number> {
  return ensureSeriesId(access, 'binary_series', { ...series });
}

/** Returns the condition that row `s` of `binary_series` matches a selection. */
export function matchesBinarySelection({
  scopes,
  filter,
  includeInternal,
}: BinarySelection): RawBuilder<boolean> {
  const suiting = matchesSeriesFilter({ scopes, columns: filter.columns });
  return includeInternal ? suiting : sql`(${suiting} and s.is_internal = 0)`;
}

/** Returns the IDs of the series that match a selection, as a subquery. */
export function suitingSeries(selection: BinarySelection): RawBuilder<number> {
  return sql`(select s.id from binary_series s where ${matchesBinarySelection(selection)})`;
}
