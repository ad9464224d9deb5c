/** What the two databases spell differently in the definitions of tables. */
export interface SchemaDialect {
  /** Definition of a column that numbers rows in the order in which they were inserted. */
  sequenceColumn: string;
}

export const SQLITE_SCHEMA: SchemaDialect = {
  sequenceColumn: 'integer primary key autoincrement',
};

export const POSTGRES_SCHEMA: SchemaDialect = {
  sequenceColumn: 'bigint generated always as identity primary key',
};
