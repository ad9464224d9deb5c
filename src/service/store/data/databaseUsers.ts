import { queryByIds } from '../identifiers';
import type { StoreAccess } from '../store';
import type { DatabaseUserRow } from './dataSchema';

export async function findDatabaseUser(
  access: StoreAccess,
  organizationId: string,
): Promise<DatabaseUserRow | undefined> {
  return access
    .selectFrom('database_users')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
}

/**
 * Returns the salts of database users by organization. A user's salt changes whenever the user's
 * password changes.
 */
export async function databaseUserSalts(
  access: StoreAccess,
  organizationIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await queryByIds(organizationIds, (batch) =>
    access
      .selectFrom('database_users')
      .select(['organization_id', 'salt'])
      .where('organization_id', 'in', batch)
      .execute(),
  );
  return new Map(rows.map(({ organization_id, salt }) => [organization_id, salt]));
}

/** Creates an organization's database user, or sets a new password for an existing user. */
export async function putDatabaseUser(
  access: StoreAccess,
  { organization_id, ...rest }: DatabaseUserRow,
): Promise<void> {
  await access
    .insertInto('database_users')
    .values({ organization_id, ...rest })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(rest))
    .execute();
}
