/** The database and the collection in it, as the public cloud calls them. */
export const DATABASE = 'sensorData';
export const COLLECTION = 'readings';
export const NAMESPACE = `${DATABASE}.${COLLECTION}`;
/** Where users are looked up, and what is about the server as a whole. */
export const ADMIN_DATABASE = 'admin';

const USER_PREFIX = 'db-user-';
/** What ids are made of: nothing else is looked up. */
const USER_NAME = /^db-user-([\w-]{1,64})$/;

/** What the database user of an organization is called. */
export function databaseUserName(organizationId: string): string {
  return USER_PREFIX + organizationId;
}

/** Whose database user it is by its name; undefined when no organization can have such a one. */
export function organizationOfUserName(userName: string): string | undefined {
  return USER_NAME.exec(userName)?.[1];
}
