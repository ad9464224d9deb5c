import type { SchemaDialect } from './schemaDialect';

/** Creates the tables for machine logs. */
export function logTables({ sequenceColumn, logTextIndex }: SchemaDialect): string[] {
  return [
    `create table log_lines (
      id ${sequenceColumn},
      part_id text not null references parts (id) on delete cascade,
      logged_at bigint not null,
      stored_at bigint not null,
      size integer not null,
      level text not null,
      level_key text not null,
      logger_name text not null,
      host text not null,
      message text not null,
      caller text,
      stack text not null,
      fields text not null
    )`,
    `create index log_lines_by_time on log_lines (part_id, logged_at, id)`,
    `create index log_lines_by_level on log_lines (part_id, level_key, logged_at, id)`,
    `create index log_lines_by_age on log_lines (stored_at)`,
    ...logTextIndex,
  ];
}
