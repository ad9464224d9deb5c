import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Micros } from '../micros';
import type { FleetSchema } from '../schema';
import type { StoreAccess } from '../store';
import { type DataScope, inScope } from './dataScope';

/** How items are selected by their tags. */
export type TagCondition = { anyOf: readonly string[] } | 'tagged' | 'untagged';

/** What items must be like; what is absent or an empty list does not narrow. */
export interface BinaryFilter {
  /** Columns with the values of which an item has to have one. */
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
  /** The first moment of capture, and the first that is too late. */
  start?: Micros | undefined;
  end?: Micros | undefined;
  tags?: TagCondition | undefined;
  /** Labels of boxes, one of which has to be on the image. */
  boxLabels: readonly string[];
  datasetId?: string | undefined;
}

/** Which items an operation is about. */
export interface BinarySelection {
  /** An item has to be in each of them. */
  scopes: readonly DataScope[];
  filter: BinaryFilter;
  includeInternal: boolean;
  /** Only what was stored before: a long operation leaves alone what arrives meanwhile. */
  storedBefore?: Micros | undefined;
}

type Builder = ExpressionBuilder<FleetSchema, 'binary_data'>;

/** The items of a selection, without columns yet. */
export function selectBinaryData(access: StoreAccess, selection: BinarySelection) {
  return access.selectFrom('binary_data').where((eb) => eb.and(conditions(eb, selection)));
}

function conditions(eb: Builder, selection: BinarySelection): Expression<SqlBool>[] {
  const { filter, storedBefore } = selection;
  return [
    ...selection.scopes.map((scope) => inScope(eb, scope)),
    ...(selection.includeInternal ? [] : [eb('is_internal', '=', 0)]),
    ...(storedBefore === undefined ? [] : [eb('synced_at', '<', storedBefore)]),
    ...filter.columns
      .filter(({ anyOf }) => anyOf.length > 0)
      .map(({ column, anyOf }) => eb(column, 'in', anyOf)),
    ...(filter.start === undefined ? [] : [eb('requested_at', '>=', filter.start)]),
    ...(filter.end === undefined ? [] : [eb('requested_at', '<', filter.end)]),
    ...(filter.tags === undefined ? [] : [tagCondition(eb, filter.tags)]),
    ...(filter.boxLabels.length === 0 ? [] : [boxCondition(eb, filter.boxLabels)]),
    ...(filter.datasetId === undefined ? [] : [datasetCondition(eb, filter.datasetId)]),
  ];
}

function tagCondition(eb: Builder, condition: TagCondition): Expression<SqlBool> {
  const tags = eb
    .selectFrom('binary_tags')
    .select('tag')
    .whereRef('binary_tags.binary_id', '=', 'binary_data.id');
  if (condition === 'tagged') {
    return eb.exists(tags);
  }
  return condition === 'untagged'
    ? eb.not(eb.exists(tags))
    : eb.exists(tags.where('tag', 'in', ['', ...condition.anyOf]));
}

function boxCondition(eb: Builder, labels: readonly string[]): Expression<SqlBool> {
  return eb.exists(
    eb
      .selectFrom('bounding_boxes')
      .select('bounding_boxes.id')
      .whereRef('bounding_boxes.binary_id', '=', 'binary_data.id')
      .where('label', 'in', labels),
  );
}

function datasetCondition(eb: Builder, datasetId: string): Expression<SqlBool> {
  return eb.exists(
    eb
      .selectFrom('dataset_members')
      .select('dataset_id')
      .whereRef('dataset_members.binary_id', '=', 'binary_data.id')
      .where('dataset_id', '=', datasetId),
  );
}
