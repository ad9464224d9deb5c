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
