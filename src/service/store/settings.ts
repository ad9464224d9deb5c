import type { StoreAccess } from './store';

/** Names of the values that the service keeps for itself. */
export type SettingName =
  | 'token_signing_key'
  | 'first_organization'
  | 'first_api_key'
  | 'demo_fleet'
  | 'database_salt_secret';

export async function findSetting(
  access: StoreAccess,
  name: SettingName,
): Promise<string | undefined> {
  const row = await access
    .selectFrom('service_settings')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.value;
}

export async function putSetting(
  access: StoreAccess,
  name: SettingName,
  value: string,
): Promise<void> {
  await access
    .insertInto('service_settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** The stored value, or the one that is made now and stored; one process wins a race. */
export async function settingOrNew(
  access: StoreAccess,
  name: SettingName,
  make: () => string,
): Promise<string> {
  await access
    .insertInto('service_settings')
    .values({ name, value: make() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return (await findSetting(access, name)) ?? '';
}
