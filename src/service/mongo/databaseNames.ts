/** Name of the database and of its collection, as in the public cloud. */
export const DATABASE = 'sensorData';
export const COLLECTION = 'readings';
export const NAMESPACE = `${DATABASE}.${COLLECTION}`;
/** The database for user lookups and for commands about the whole server. */
export const ADMIN_DATABASE = 'admin';

const USER_PREFIX = 'db-user-';
/** Characters of IDs: no other names are looked up. */
const USER_NAME = /^db-user-([\w-]{1,64})$/;

/** Returns the name of an organization's database user. */
export function databaseUserName(organizationId: string): string {
  return USER_PREFIX + organizationId;
}

/**
 * Returns the organization of a database user by its name; undefined if no organization can have
 * such a user.
 */
export function parseUserOrganization(userName: string): string | undefined {
  return USER_NAME.exec(userName)?.[1];
}
