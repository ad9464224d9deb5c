/** Creates the table for credentials of organizations' database users. */
export function databaseUserTables(): string[] {
  return [
    `create table database_users (
      organization_id text primary key references organizations (id) on delete cascade,
      salt text not null,
      iterations integer not null,
      stored_key text not null,
      server_key text not null,
      configured_at bigint not null
    )`,
  ];
}
