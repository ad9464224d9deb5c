/** The only table that queries can read (spec part 1, TabularDataBySQL). */
export const READINGS_TABLE = 'readings';

/** Type of the values of a column or of a path within payloads. */
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

/** Field within payloads. */
export interface SchemaField {
  /** Path from the payload, such as `['readings', 'temperature']`. */
  readonly path: readonly string[];
  readonly type: FieldType;
}

/** Known schema of an organization's readings. */
export interface QuerySchema {
  readonly columns: readonly SchemaColumn[];
  /** Fields of sampled readings: others can have more. A field comes before those nested in it. */
  readonly fields: readonly SchemaField[];
  /** Text values that occur in columns, such as names of components. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /**
   * True if readings were sampled. If false, no fields are known, which doesn't mean that there are
   * none.
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

/** Column with the payloads. */
export const PAYLOAD = 'data';

/** Time at which a reading arrived from the machine, used to limit queries. */
export const TIME_COLUMN = 'time_received';

/** Schema before any reading was sampled. */
export const UNSAMPLED_SCHEMA: QuerySchema = {
  columns: READINGS_COLUMNS,
  fields: [],
  values: new Map(),
  isSampled: false,
};
