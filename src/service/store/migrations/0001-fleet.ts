import type { SchemaDialect } from './schemaDialect';

/**
 * Creates the tables for organizations, locations, machines, parts, fragments, their histories, and
 * permissions.
 */
export function fleetTables({ sequenceColumn }: SchemaDialect): string[] {
  return [
    `create table organizations (
      id text primary key,
      name text not null,
      created_at bigint not null,
      public_namespace text unique,
      default_region text not null,
      cid text,
      default_fragments text,
      allowed_login_methods text,
      metadata text not null
    )`,

    `create table users (
      id text primary key,
      email text not null unique,
      created_at bigint not null,
      last_login bigint
    )`,
    `create table organization_members (
      organization_id text not null references organizations (id) on delete cascade,
      user_id text not null references users (id) on delete cascade,
      added_at bigint not null,
      primary key (organization_id, user_id)
    )`,
    `create index organization_members_by_user on organization_members (user_id)`,

    `create table locations (
      id text primary key,
      organization_id text not null references organizations (id) on delete cascade,
      parent_id text references locations (id) on delete cascade,
      name text not null,
      created_at bigint not null,
      region text not null,
      metadata text not null
    )`,
    `create index locations_by_organization on locations (organization_id)`,
    `create index locations_by_parent on locations (parent_id)`,
    `create table location_shares (
      location_id text not null references locations (id) on delete cascade,
      organization_id text not null references organizations (id) on delete cascade,
      primary key (location_id, organization_id)
    )`,
    `create index location_shares_by_organization on location_shares (organization_id)`,

    `create table machines (
      id text primary key,
      location_id text not null references locations (id) on delete cascade,
      name text not null,
      created_at bigint not null,
      metadata text not null
    )`,
    `create index machines_by_location on machines (location_id, created_at, id)`,

    `create table parts (
      id text primary key,
      machine_id text not null references machines (id) on delete cascade,
      name text not null,
      is_main integer not null,
      config_json text not null,
      created_at bigint not null,
      last_updated bigint not null,
      last_access bigint,
      user_supplied_info text,
      restart_requested_at bigint,
      metadata text not null
    )`,
    // Machine lists read the last contact time from this index to avoid reading the configs.
    `create index parts_by_machine on parts (machine_id, last_access)`,
    `create table part_revisions (
      sequence ${sequenceColumn},
      part_id text not null references parts (id) on delete cascade,
      edited_at bigint not null,
      editor_type integer not null,
      editor_value text not null,
      old_name text not null,
      old_config_json text not null,
      old_last_updated bigint not null,
      old_is_main integer not null
    )`,
    `create index part_revisions_by_part on part_revisions (part_id, sequence)`,

    `create table fragments (
      id text primary key,
      organization_id text not null references organizations (id) on delete cascade,
      name text not null,
      config_json text not null,
      visibility integer not null,
      revision text not null,
      created_at bigint not null,
      last_updated bigint not null
    )`,
    `create index fragments_by_organization on fragments (organization_id)`,
    `create index fragments_by_visibility on fragments (visibility)`,
    `create table fragment_revisions (
      sequence ${sequenceColumn},
      fragment_id text not null references fragments (id) on delete cascade,
      edited_at bigint not null,
      editor_type integer not null,
      editor_value text not null,
      old_name text not null,
      old_config_json text not null,
      old_visibility integer not null,
      old_revision text not null,
      old_last_updated bigint not null
    )`,
    `create index fragment_revisions_by_fragment on fragment_revisions (fragment_id, sequence)`,

    `create table secrets (
      id text primary key,
      location_id text references locations (id) on delete cascade,
      part_id text references parts (id) on delete cascade,
      secret text not null,
      created_at bigint not null
    )`,
    `create index secrets_by_location on secrets (location_id)`,
    `create index secrets_by_part on secrets (part_id)`,

    `create table api_keys (
      id text primary key,
      key_hash text not null,
      name text not null,
      created_at bigint not null
    )`,
    `create table authorizations (
      organization_id text not null references organizations (id) on delete cascade,
      identity_type text not null,
      identity_id text not null,
      role text not null,
      resource_type text not null,
      resource_id text not null,
      location_id text references locations (id) on delete cascade,
      machine_id text references machines (id) on delete cascade,
      primary key (identity_id, resource_type, resource_id, role)
    )`,
    `create index authorizations_by_organization on authorizations (organization_id)`,
    `create index authorizations_by_resource on authorizations (resource_id)`,
    `create index authorizations_by_location on authorizations (location_id)`,
    `create index authorizations_by_machine on authorizations (machine_id)`,

    `create table service_settings (
      name text primary key,
      value text not null
    )`,
  ];
}
