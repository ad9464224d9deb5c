/**
 * Adds lake files that are objects in a bucket, and leases, so that only one of the services that
 * share them seals or merges an organization's files at a time.
 */
export function sharedLakeTables(): string[] {
  return [
    `alter table lake_files add column blob_hash text`,
    `create index lake_files_by_blob on lake_files (blob_hash)`,
    `create table lake_leases (
      place text not null,
      organization_id text not null references organizations (id) on delete cascade,
      task text not null,
      token bigint not null,
      expires_at bigint not null,
      primary key (place, organization_id, task)
    )`,
  ];
}
