/**
 * Creates the tables that record which config each part has fetched and which one it runs. Parts
 * without a row have not fetched a config since these tables exist.
 */
export function configReportTables(): string[] {
  return [
    `create table config_reports (
      part_id text primary key references parts (id) on delete cascade,
      fetched_revision text not null,
      fetched_version bigint not null,
      fetched_at bigint not null,
      fetch_interval bigint,
      applied_revision text,
      applied_at bigint
    )`,
    // No foreign key to the fragment, because a machine can run a config whose fragment was deleted.
    `create table fetched_fragments (
      part_id text not null references parts (id) on delete cascade,
      fragment_id text not null,
      revision text not null,
      is_pinned integer not null,
      primary key (part_id, fragment_id)
    )`,
    `create index fetched_fragments_by_fragment on fetched_fragments (fragment_id)`,
  ];
}
