/**
 * Creates the tables for captured binary items, their tags and boxes, and the datasets that contain
 * them.
 */
export function binaryDataTables(): string[] {
  return [
    // One row per file in the blob store. The row is written before the file is created, and
    // deleted after the file is deleted.
    `create table blobs (
      hash text primary key,
      size bigint not null
    )`,
    // No foreign keys to locations, machines, or parts, because data isn't deleted with the machine
    // that captured it.
    `create table binary_data (
      id text primary key,
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
      mime_type text not null,
      file_name text not null,
      file_ext text not null,
      file_size bigint not null,
      blob_hash text not null references blobs (hash),
      requested_at bigint not null,
      received_at bigint not null,
      synced_at bigint not null,
      is_internal integer not null,
      classifications text
    )`,
    // Covering index for counts and sums of sizes.
    `create index binary_data_by_organization
      on binary_data (organization_id, requested_at, id, is_internal, file_size)`,
    `create index binary_data_by_location on binary_data (location_id, requested_at, id)`,
    `create index binary_data_by_machine on binary_data (robot_id, requested_at, id)`,
    `create index binary_data_by_part on binary_data (part_id, requested_at, id)`,
    `create index binary_data_by_blob on binary_data (blob_hash)`,
    `create table binary_tags (
      binary_id text not null references binary_data (id) on delete cascade,
      tag text not null,
      primary key (binary_id, tag)
    )`,
    `create index binary_tags_by_tag on binary_tags (tag, binary_id)`,
    `create table bounding_boxes (
      id text primary key,
      binary_id text not null references binary_data (id) on delete cascade,
      label text not null,
      x_min double precision not null,
      y_min double precision not null,
      x_max double precision not null,
      y_max double precision not null,
      confidence double precision
    )`,
    `create index bounding_boxes_by_item on bounding_boxes (binary_id, label)`,
    `create table datasets (
      id text primary key,
      organization_id text not null references organizations (id) on delete cascade,
      name text not null,
      type integer not null,
      created_at bigint not null
    )`,
    `create index datasets_by_organization on datasets (organization_id)`,
    `create table dataset_members (
      dataset_id text not null references datasets (id) on delete cascade,
      binary_id text not null references binary_data (id) on delete cascade,
      primary key (dataset_id, binary_id)
    )`,
    `create index dataset_members_by_item on dataset_members (binary_id)`,
  ];
}
