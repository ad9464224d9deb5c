import type { SecretCipher } from './secrets';
import type { StoreAccess } from './store';

/** Names of the service's internal values. */
export type SettingName =
  | EncryptedSettingName
  | 'first_organization'
  | 'first_api_key'
  | 'demo_fleet'
  | 'secrets_key_id'
  | 'objects_url'
  | 'oldest_schema';

/** Names of the values that are encrypted. */
export const ENCRYPTED_SETTINGS = ['token_signing_key', 'database_salt_secret'] as const;
export type EncryptedSettingName = (typeof ENCRYPTED_SETTINGS)[number];

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

/** Returns an ID for a setting's row. The setting's encrypted value is bound to this ID. */
export function settingOwner(name: EncryptedSettingName): string {
  return `service_settings/${name}`;
}

/** Like `settingOrNew`, but for a value that is encrypted in the store. */
export async function encryptedSettingOrNew(
  access: StoreAccess,
  cipher: SecretCipher,
  name: EncryptedSettingName,
  make: () => string,
): Promise<string> {
  const owner = settingOwner(name);
  const encrypted = await settingOrNew(access, name, () => cipher.encrypt(make(), owner));
  return cipher.decrypt(encrypted, owner);
}

/**
 * Returns the stored value, or creates and stores a new one. If processes race, all of them return
 * the value from the first process.
 */
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
