/**
 * Creates the tables for the lake. They record which readings are in files for queries, and which
 * of these readings have been deleted. A `place` is a folder with these files. Services that share
 * a database each have one folder.
 */
export function lakeTables(): string[] {
  return [
    `create table lake_progress (
      place text not null,
      organization_id text not null references organizations (id) on delete cascade,
      sealed_through bigint not null,
      primary key (place, organization_id)
    )`,
    `create table lake_files (
      name text primary key,
      place text not null,
      organization_id text not null references organizations (id) on delete cascade,
      day bigint not null,
      row_count bigint not null,
      byte_count bigint not null,
      last_synced_at bigint not null,
      shape text not null
    )`,
    `create index lake_files_by_organization on lake_files (organization_id, place, day)`,
    `create table deleted_readings (
      place text not null,
      series_id bigint not null,
      day bigint not null,
      through_id bigint not null,
      organization_id text not null references organizations (id) on delete cascade,
      deleted_to bigint not null,
      primary key (place, series_id, day, through_id)
    )`,
    `create index deleted_readings_by_organization on deleted_readings (organization_id, place)`,
    `create index readings_by_arrival on readings (organization_id, id)`,
  ];
}
