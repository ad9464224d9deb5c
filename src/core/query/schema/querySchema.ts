/** The one table that queries read (spec part 1, TabularDataBySQL). */
export const READINGS_TABLE = 'readings';

/** What the values of a column or of a path within payloads are. */
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
  /** As SQL names the type. */
  readonly sqlType: string;
}

/** A field within payloads. */
export interface SchemaField {
  /** From the payload down, such as `['readings', 'temperature']`. */
  readonly path: readonly string[];
  readonly type: FieldType;
}

/** What is known of the readings of an organization. */
export interface QuerySchema {
  readonly columns: readonly SchemaColumn[];
  /** Of some readings: others may have more. A field comes before those within it. */
  readonly fields: readonly SchemaField[];
  /** Texts that columns were seen to hold, such as names of components. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Whether readings were looked at. Otherwise no field is known, and that says nothing. */
  readonly isSampled: boolean;
}

function column(name: string, type: FieldType, sqlType: string): SchemaColumn {
  return { name, type, sqlType };
}

/** The columns of `readings`, in their order. */
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

/** The column with the payloads. */
export const PAYLOAD = 'data';

/** When a reading came from the machine: what queries are bounded by. */
export const TIME_COLUMN = 'time_received';

/** What is known before any reading was looked at. */
export const UNSAMPLED_SCHEMA: QuerySchema = {
  columns: READINGS_COLUMNS,
  fields: [],
  values: new Map(),
  isSampled: false,
};
