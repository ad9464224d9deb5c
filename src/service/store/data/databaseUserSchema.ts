import type { Selectable } from 'kysely';
import type { Micros } from '../micros';

/**
 * Table of database users, one per organization, who can read the organization's data with MongoDB
 * clients. Only data for verifying the password is stored (RFC 5802), in base64.
 */
export interface DatabaseUsersTable {
  organization_id: string;
  /** Random salt. It is new for every password, so it identifies the password. */
  salt: string;
  iterations: number;
  stored_key: string;
  server_key: string;
  configured_at: Micros;
}

/** Table of database users. */
export interface DatabaseUserSchema {
  database_users: DatabaseUsersTable;
}

export type DatabaseUserRow = Selectable<DatabaseUsersTable>;
