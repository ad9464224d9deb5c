import type { Selectable } from 'kysely';
import type { Micros } from '../micros';

/**
 * An organization's database user, who reads its data with clients of MongoDB. Of the password only
 * what proves it is kept (RFC 5802), in base64.
 */
export interface DatabaseUsersTable {
  organization_id: string;
  /** Random, and new with every password: it tells one from another. */
  salt: string;
  iterations: number;
  stored_key: string;
  server_key: string;
  configured_at: Micros;
}

/** The table of database users. */
export interface DatabaseUserSchema {
  database_users: DatabaseUsersTable;
}

export type DatabaseUserRow = Selectable<DatabaseUsersTable>;
