import type { SchemaDialect } from './schemaDialect';

/** Creates the tables for captured readings, their series, and their daily counts. */
export function readingTables({ sequenceColumn }: SchemaDialect): string[] {
  return [
    // No foreign keys to locations, machines, or parts, because data isn't deleted with the machine
    // that captured it.
    `create table reading_series (
      id ${sequenceColumn},
      series_key text not null unique,
      organization_id text not null references organizations (id) on delete cascade,
      location_id text not null,
      robot_id text not null,
      robot_name text not null,
      part_id text not null,
      part_name text not null,
      component_type text not null,
      component_kind text not null,
      component_name text not null,
      method_name text not null,
      method_parameters text,
      parameters text not null,
      tags text not null
    )`,
    `create index reading_series_by_organization on reading_series (organization_id)`,
    `create index reading_series_by_location on reading_series (location_id)`,
    `create index reading_series_by_machine on reading_series (robot_id)`,
    `create index reading_series_by_part on reading_series (part_id, component_name)`,
    // The payload is the last column, because the database would have to read through it to access
    // later columns.
    `create table readings (
      id ${sequenceColumn},
      series_id bigint not null references reading_series (id) on delete cascade,
      organization_id text not null,
      requested_at bigint not null,
      received_at bigint not null,
      synced_at bigint not null,
      size integer not null,
      payload text not null
    )`,
    `create index readings_by_series on readings (series_id, requested_at, id)`,
    `create index readings_by_organization on readings (organization_id, requested_at, id)`,
    `create table reading_days (
      series_id bigint not null references reading_series (id) on delete cascade,
      day bigint not null,
      row_count bigint not null,
      byte_count bigint not null,
      last_synced_at bigint not null,
      primary key (series_id, day)
    )`,
  ];
}
