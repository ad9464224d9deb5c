import { type RawBuilder, sql } from 'kysely';
import type { StoreAccess } from '../store';
import type { BinarySelection } from './binaryFilter';
import type { BinarySeriesTable } from './dataSchema';
import { suits } from './readingsFilter';
import { idOfSeries } from './seriesIds';

/** What items of one series have in common. */
export type BinarySeries = Omit<BinarySeriesTable, 'id' | 'series_key'>;

/** The columns of a series, which its items have too. */
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

/** The series that an item belongs to. */
export function seriesOf(item: BinarySeries): BinarySeries {
  return Object.fromEntries(
    BINARY_SERIES_COLUMNS.map((column) => [column, item[column]]),
  ) as unknown as BinarySeries;
}

/** The id of a series, which is made if nothing was captured like this before. */
export async function idOfBinarySeries(access: StoreAccess, series: BinarySeries): Promise<number> {
  return idOfSeries(access, 'binary_series', { ...series });
}

/** The condition that row `s` of `binary_series` suits a selection. */
export function seriesSuits({
  scopes,
  filter,
  includeInternal,
}: BinarySelection): RawBuilder<boolean> {
  const suiting = suits({ scopes, columns: filter.columns });
  return includeInternal ? suiting : sql`(${suiting} and s.is_internal = 0)`;
}

/** The ids of the series that suit a selection, as a subselect. */
export function suitingSeries(selection: BinarySelection): RawBuilder<number> {
  return sql`(select s.id from binary_series s where ${seriesSuits(selection)})`;
}
