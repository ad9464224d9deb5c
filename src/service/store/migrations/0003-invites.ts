/**
 * Creates the tables for invitations and the roles that they grant, links in messages, and keys
 * created by users.
 */
export function inviteTables(): string[] {
  return [
    `create table organization_invites (
      organization_id text not null references organizations (id) on delete cascade,
      email text not null,
      created_at bigint not null,
      applies_at_login integer not null,
      primary key (organization_id, email)
    )`,
    `create index organization_invites_by_email on organization_invites (email)`,
    `create table invite_authorizations (
      organization_id text not null,
      email text not null,
      role text not null,
      resource_type text not null,
      resource_id text not null,
      location_id text references locations (id) on delete cascade,
      machine_id text references machines (id) on delete cascade,
      primary key (organization_id, email, resource_type, resource_id, role),
      foreign key (organization_id, email)
        references organization_invites (organization_id, email) on delete cascade
    )`,
    `create index invite_authorizations_by_location on invite_authorizations (location_id)`,
    `create index invite_authorizations_by_machine on invite_authorizations (machine_id)`,

    `create table link_tokens (
      token_hash text primary key,
      purpose text not null,
      email text not null,
      organization_id text references organizations (id) on delete cascade,
      created_at bigint not null,
      expires_at bigint not null,
      used_at bigint
    )`,
    `create index link_tokens_by_organization on link_tokens (organization_id, email)`,
    `create index link_tokens_by_expiry on link_tokens (expires_at)`,
    `create table sign_in_messages (
      email text primary key,
      sent_at bigint not null
    )`,
    `create table user_api_keys (
      api_key_id text primary key references api_keys (id) on delete cascade,
      user_id text not null references users (id) on delete cascade
    )`,
    `create index user_api_keys_by_user on user_api_keys (user_id)`,
  ];
}
