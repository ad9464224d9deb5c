import { nearestName } from '../../../base/nearestName';

/** The only table that queries can read (spec part 1, TabularDataBySQL). */
export const READINGS_TABLE = 'readings';

/** Type of the values in a column or at a path in payloads. */
export type FieldType =
  | 'text'
  | 'number'
  | 'boolean'
  | 'time'
  | 'list'
  | 'object'
  | 'nothing'
  | 'mixed';

export interface SchemaColumn {
  readonly name: string;
  readonly type: FieldType;
  /** SQL name of the type. */
  readonly sqlType: string;
}

/** Field in payloads. */
export interface SchemaField {
  /** Path relative to the payload, such as `['readings', 'temperature']`. */
  readonly path: readonly string[];
  readonly type: FieldType;
}

/** Known part of the schema for an organization's readings. */
export interface QuerySchema {
  readonly columns: readonly SchemaColumn[];
  /**
   * Fields in the sampled readings. Other readings can have additional fields. Parent fields
   * precede nested fields.
   */
  readonly fields: readonly SchemaField[];
  /** Text values that occur in columns, such as component names. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /**
   * True if readings were sampled. If false, the fields are unknown, although readings can have
   * fields.
   */
  readonly isSampled: boolean;
}

function column(name: string, type: FieldType, sqlType: string): SchemaColumn {
  return { name, type, sqlType };
}

/** Columns of `readings`, in order. */
export const READINGS_COLUMNS: readonly SchemaColumn[] = [
  column('organization_id', 'text', 'VARCHAR'),
  column('location_id', 'text', 'VARCHAR'),
  column('robot_id', 'text', 'VARCHAR'),
  column('part_id', 'text', 'VARCHAR'),
  column('component_type', 'text', 'VARCHAR'),
  column('component_name', 'text', 'VARCHAR'),
  column('method_name', 'text', 'VARCHAR'),
  column('time_requested', 'time', 'TIMESTAMP'),
  column('time_received', 'time', 'TIMESTAMP'),
  column('tags', 'list', 'VARCHAR[]'),
  column('additional_parameters', 'object', 'JSON'),
  column('data', 'object', 'JSON'),
];

/** Column that contains the payloads. */
export const PAYLOAD = 'data';

/** Column for the time at which a reading arrived from the machine. Used to limit queries. */
export const TIME_COLUMN = 'time_received';

/** Schema that is used before any readings are sampled. */
export const UNSAMPLED_SCHEMA: QuerySchema = {
  columns: READINGS_COLUMNS,
  fields: [],
  values: new Map(),
  isSampled: false,
};

const PLAIN_NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** Returns true if a sampled payload has a value at a path. */
export function pathExists({ fields }: QuerySchema, path: readonly string[]): boolean {
  return fields.some((field) => startsWith(field.path, path) || isOpen(field, path));
}

/** Returns the distinct direct child fields of a path. */
export function fieldsWithin(
  { fields }: QuerySchema,
  path: readonly string[],
): readonly SchemaField[] {
  return fields.filter(
    (field) => field.path.length === path.length + 1 && startsWith(field.path, path),
  );
}

/** Returns the path to the known field that is most similar to an unknown field. */
export function nearestField(
  { fields }: QuerySchema,
  path: readonly string[],
): readonly string[] | undefined {
  const byName = new Map(fields.map((field) => [spellPath(field.path), field.path]));
  const near = nearestName(spellPath(path), byName.keys());
  if (near !== undefined) return byName.get(near);
  // The parents might be missing or wrong, as in `data.temperature` instead of
  // `data.readings.temperature`.
  return fields.find((field) => field.path.at(-1) === path.at(-1))?.path;
}

/** Formats a path for SQL, without its column. */
export function spellPath(path: readonly string[]): string {
  return path
    .map((name) => (PLAIN_NAME.test(name) ? name : `"${name.replaceAll('"', '""')}"`))
    .join('.');
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((name, index) => path[index] === name);
}

/**
 * Returns true if a field can contain unknown fields, because the contents of lists and of values
 * with multiple types are not sampled.
 */
function isOpen({ path, type }: SchemaField, target: readonly string[]): boolean {
  return (type === 'list' || type === 'mixed') && startsWith(target, path);
}
