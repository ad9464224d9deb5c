import { type RawBuilder, sql } from 'kysely';
import type { Micros } from '../micros';
import { all, type Condition, isCapturedBetween, isOneOf } from './conditions';
import type { DataScope } from './dataScope';

/** Selection of items by their tags. */
export type TagCondition = { anyOf: readonly string[] } | 'tagged' | 'untagged';

/** Conditions on items. Conditions that are absent or empty match everything. */
export interface BinaryFilter {
  /** Columns to filter by, with values. In each column, an item must have one of the values. */
  columns: readonly {
    column:
      | 'component_name'
      | 'component_type'
      | 'component_kind'
      | 'method_name'
      | 'robot_name'
      | 'robot_id'
      | 'part_name'
      | 'part_id'
      | 'location_id'
      | 'organization_id'
      | 'mime_type';
    anyOf: readonly string[];
  }[];
  /** Start (inclusive) and end (exclusive) of the capture time. */
  start?: Micros | undefined;
  end?: Micros | undefined;
  tags?: TagCondition | undefined;
  /** Labels on bounding boxes. An image must have a box with one of these labels. */
  boxLabels: readonly string[];
  datasetId?: string | undefined;
}

/** Items that an operation applies to. */
export interface BinarySelection {
  /** The selection's scopes. An item must be in all of them. */
  scopes: readonly DataScope[];
  filter: BinaryFilter;
  includeInternal: boolean;
  /**
   * Selects only items that were stored before this time. A long-running operation then doesn't
   * affect items that arrive while it runs.
   */
  storedBefore?: Micros | undefined;
}

type Reference = RawBuilder<unknown>;

/**
 * Maximum number of marks to look up in the index. If there are more, items are checked
 * individually.
 */
const MAX_LEADING = 100;

/**
 * Set of marks of which every item in a selection must have at least one. The items can be found
 * with the marks index.
 */
export interface Lead {
  table: 'binary_tags' | 'bounding_boxes';
  column: 'tag' | 'label';
  values: readonly string[];
}

/**
 * Returns the marks that can be used to find the items in a selection; undefined if there are none.
 */
export function findIndexLead({ filter }: BinarySelection): Lead | undefined {
  const { datasetId, tags, boxLabels } = filter;
  const lead = (table: Lead['table'], column: Lead['column'], values: readonly string[]) =>
    values.length > MAX_LEADING ? undefined : { table, column, values: [...new Set(values)] };
  if (datasetId !== undefined) return lead('binary_tags', 'tag', [datasetTag(datasetId)]);
  if (typeof tags === 'object') return lead('binary_tags', 'tag', tags.anyOf);
  return boxLabels.length === 0 ? undefined : lead('bounding_boxes', 'label', boxLabels);
}

/**
 * Returns true if a selection has conditions other than those on the series and the capture time.
 */
export function hasItemConditions({ filter, storedBefore }: BinarySelection): boolean {
  const { tags, boxLabels, datasetId } = filter;
  return [tags, datasetId, storedBefore].some((it) => it !== undefined) || boxLabels.length > 0;
}

/** Returns the conditions on rows of `binary_data`, other than those on their series. */
export function itemConditions({ filter, storedBefore }: BinarySelection): Condition {
  const id = sql.ref('binary_data.id');
  const { tags } = filter;
  return all([
    isCapturedBetween(filter),
    ...(storedBefore === undefined ? [] : [sql<boolean>`synced_at < ${storedBefore}`]),
    // A literal rather than a parameter, so that the partial index can be used.
    ...(tags === 'tagged' ? [sql<boolean>`is_tagged = 1`] : []),
    ...(tags === 'untagged' ? [sql<boolean>`is_tagged = 0`] : []),
    ...markConditions(filter, id),
  ]);
}

/**
 * Returns the conditions on a selection's leading marks and on their items, other than those on
 * their series.
 */
export function leadConditions({ filter, storedBefore }: BinarySelection, lead: Lead): Condition {
  const { datasetId, tags, boxLabels } = filter;
  const id = sql.ref(`${lead.table}.binary_id`);
  const isTagged = sql<boolean>`exists (select t.tag from binary_tags t where t.binary_id = ${id})`;
  return all([
    isCapturedBetween(filter),
    ...(storedBefore === undefined ? [] : [isStoredBefore(id, storedBefore)]),
    ...(tags === 'tagged' ? [isTagged] : []),
    ...(tags === 'untagged' ? [sql<boolean>`not ${isTagged}`] : []),
    ...markConditions(
      {
        tags: datasetId === undefined ? undefined : tags,
        boxLabels: lead.table === 'bounding_boxes' ? [] : boxLabels,
      },
      id,
    ),
  ]);
}

/**
 * Returns the conditions on marks `m` and on their items, other than those on the items' series.
 */
export function markedItemConditions(selection: BinarySelection): Condition {
  const isSelected = sql<boolean>`exists (select binary_data.id from binary_data
    where binary_data.id = m.binary_id and ${itemConditions(selection)})`;
  return all([
    isCapturedBetween(selection.filter),
    ...(hasItemConditions(selection) ? [isSelected] : []),
  ]);
}

/** Returns the conditions on an item's marks. */
function markConditions(
  { tags, boxLabels, datasetId }: Pick<BinaryFilter, 'tags' | 'boxLabels' | 'datasetId'>,
  id: Reference,
): Condition[] {
  return [
    ...(typeof tags === 'object' ? [hasMark(id, 'binary_tags', 'tag', tags.anyOf)] : []),
    ...(datasetId === undefined
      ? []
      : [hasMark(id, 'binary_tags', 'tag', [datasetTag(datasetId)])]),
    ...(boxLabels.length === 0 ? [] : [hasMark(id, 'bounding_boxes', 'label', boxLabels)]),
  ];
}

function hasMark(
  id: Reference,
  table: Lead['table'],
  column: Lead['column'],
  values: readonly string[],
): Condition {
  return sql`${id} in (select m.binary_id from ${sql.table(table)} m
    where ${isOneOf(`m.${column}`, values)})`;
}

function isStoredBefore(id: Reference, timestamp: Micros): Condition {
  return sql`exists (select d.id from binary_data d where d.id = ${id} and d.synced_at < ${timestamp})`;
}

/** Prefix for dataset tags. Items can get these tags only by becoming members of a dataset. */
export const DATASET_TAG_PREFIX = 'SVC_DATASET_';

/** Returns a dataset's tag. All members of the dataset have this tag, and no other items do. */
export function datasetTag(datasetId: string): string {
  return DATASET_TAG_PREFIX + datasetId;
}
