import type { SecretCipher } from './secretCipher';
import type { StoreAccess } from './store';

/** Names of the values that the service keeps for itself. */
export type SettingName =
  | EncryptedSettingName
  | 'first_organization'
  | 'first_api_key'
  | 'demo_fleet'
  | 'secrets_key_id';

/** Names of those that are encrypted. */
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

/** Names the row of a setting, to which its encrypted text is bound. */
export function settingOwner(name: EncryptedSettingName): string {
  return `service_settings/${name}`;
}

/** As `settingOrNew`, for a value that the store has encrypted. */
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
