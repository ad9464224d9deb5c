import type { SchemaDialect } from './schemaDialect';

/** Creates the tables for versions of registry items, and their archives. */
export function packageTables({ sequenceColumn }: SchemaDialect): string[] {
  return [
    `create table package_versions (
      sequence ${sequenceColumn},
      item_id text not null references registry_items (id) on delete cascade,
      version text not null,
      metadata text not null,
      markdown_description text,
      created_at bigint not null,
      unique (item_id, version)
    )`,
    `create table package_files (
      id text primary key,
      item_id text not null,
      version text not null,
      platform text not null,
      platform_tags text not null,
      info text not null,
      blob_hash text not null references blobs (hash),
      file_size bigint not null,
      uploaded_at bigint not null,
      unique (item_id, version, platform),
      foreign key (item_id, version)
        references package_versions (item_id, version) on delete cascade
    )`,
    `create index package_files_by_blob on package_files (blob_hash)`,
  ];
}
