import { sql } from 'kysely';
import { newSecret } from '../store/identifiers';
import { insertRows, isSqlite, type Store, type StoreAccess } from '../store/store';
import { ENCRYPTED_PREFIX, isEncrypted, SecretCipher, secretOwner } from '../store/secrets';
import {
  ENCRYPTED_SETTINGS,
  type EncryptedSettingName,
  findSetting,
  putSetting,
  settingOwner,
} from '../store/settings';
import { SecretsKeyError, type SecretsKeySource } from './secretsKeySource';

const BATCH = 500;

/**
 * Unlocks a store's secrets. Reads the keys or creates the first key, and then encrypts all secrets
 * that are in plaintext or encrypted with an earlier key. If the encryption is interrupted, the
 * store contains secrets that are encrypted with different keys. This is not a problem, because
 * each secret contains the ID of its key, and the next start continues the encryption.
 * @throws SecretsKeyError if the key is missing, incorrect, or can't be read.
 */
export async function unlockSecrets(store: Store, source: SecretsKeySource): Promise<SecretCipher> {
  const storedId = await findSetting(store, 'secrets_key_id');
  let keys = await source.read();
  if (keys === undefined) {
    if (storedId !== undefined) {
      throw new SecretsKeyError(
        `the secrets of this fleet are encrypted with the key ${storedId}, and ${source.description} ` +
          "doesn't exist: put a copy of the key there, or specify its location with --secrets-key-file " +
          'FILE; if the key is lost, service rotate-secrets-key --replace-secrets creates new secrets',
      );
    }
    keys = await source.create();
  }
  const cipher = new SecretCipher(keys);
  // If multiple services start for the first time concurrently, only one of them determines the
  // key.
  const usedId = storedId ?? (await claimKey(store, cipher.keyId));
  if (!cipher.hasKey(usedId)) {
    throw new SecretsKeyError(
      `the secrets of this fleet are encrypted with the key ${usedId}, and ${source.description} has ` +
        `the key ${cipher.keyId}: replace it with a copy of the right key`,
    );
  }
  await encryptAll(store, cipher);
  if (usedId !== cipher.keyId) await putSetting(store, 'secrets_key_id', cipher.keyId);
  return cipher;
}

/**
 * Replaces every secret with a new one. Used for a store whose key is lost. `unlockSecrets` then
 * encrypts the new secrets with a new key. This revokes all access tokens.
 */
export async function replaceSecrets(store: Store): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    for (const { id } of await transaction.selectFrom('secrets').select('id').execute()) {
      await transaction
        .updateTable('secrets')
        .set({ encrypted_secret: newSecret() })
        .where('id', '=', id)
        .execute();
    }
    await transaction
      .deleteFrom('service_settings')
      .where('name', 'in', [...ENCRYPTED_SETTINGS, 'secrets_key_id'])
      .execute();
  });
}

/**
 * Returns true if the store contains plaintext secrets, as in a store that was last used by a
 * version without encryption.
 */
export async function hasClearSecrets(access: StoreAccess): Promise<boolean> {
  const secret = await access
    .selectFrom('secrets')
    .select('id')
    .where('encrypted_secret', 'not like', `${ENCRYPTED_PREFIX}%`)
    .limit(1)
    .executeTakeFirst();
  if (secret !== undefined) return true;
  const settings = await Promise.all(ENCRYPTED_SETTINGS.map((name) => findSetting(access, name)));
  return settings.some((value) => value !== undefined && !isEncrypted(value));
}

async function claimKey(store: Store, keyId: string): Promise<string> {
  await store
    .insertInto('service_settings')
    .values({ name: 'secrets_key_id', value: keyId })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return (await findSetting(store, 'secrets_key_id')) ?? keyId;
}

async function encryptAll(store: Store, cipher: SecretCipher): Promise<void> {
  if (isSqlite(store)) {
    await encryptWithoutTrace(store, cipher);
    return;
  }
  for (let after = ''; ;) {
    const rows = await outdatedSecrets(store, cipher, after).limit(BATCH).execute();
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.id;
    await store.transaction().execute(async (transaction) => {
      for (const row of rows) {
        await transaction
          .updateTable('secrets')
          .set({ encrypted_secret: encryptAgain(cipher, row.encrypted_secret, secretOwner(row)) })
          .where('id', '=', row.id)
          .execute();
      }
    });
  }
  for (const name of ENCRYPTED_SETTINGS) await encryptSetting(store, cipher, name);
}

/**
 * Rewrites the rows of both tables and overwrites the old rows. An ordinary update would leave
 * plaintext copies of rows in unused parts of SQLite's pages.
 */
async function encryptWithoutTrace(store: Store, cipher: SecretCipher): Promise<void> {
  const [outdated] = await outdatedSecrets(store, cipher, '').limit(1).execute();
  const settings = await Promise.all(ENCRYPTED_SETTINGS.map((name) => findSetting(store, name)));
  const isOutdated = (text = cipher.prefix): boolean => !text.startsWith(cipher.prefix);
  if (outdated === undefined && !settings.some(isOutdated)) return;
  await sql`pragma secure_delete = on`.execute(store);
  await store.transaction().execute(async (transaction) => {
    for (const name of ENCRYPTED_SETTINGS) await encryptSetting(transaction, cipher, name);
    const allSettings = await transaction.selectFrom('service_settings').selectAll().execute();
    await transaction.deleteFrom('service_settings').execute();
    await insertRows(
      transaction,
      'service_settings',
      ['name', 'value'],
      allSettings.map(({ name, value }) => [name, value]),
    );
    const secrets = await transaction.selectFrom('secrets').selectAll().execute();
    await transaction.deleteFrom('secrets').execute();
    await insertRows(
      transaction,
      'secrets',
      ['id', 'location_id', 'part_id', 'encrypted_secret', 'created_at'],
      secrets.map((row) => [
        ...[row.id, row.location_id, row.part_id],
        encryptAgain(cipher, row.encrypted_secret, secretOwner(row)),
        row.created_at,
      ]),
    );
  });
  await sql`pragma secure_delete = off`.execute(store);
  await sql`pragma wal_checkpoint(truncate)`.execute(store);
}

/** Selects secrets that are in plaintext or encrypted with an earlier key. */
function outdatedSecrets(store: Store, { prefix }: SecretCipher, after: string) {
  return store
    .selectFrom('secrets')
    .selectAll()
    .where('id', '>', after)
    .where('encrypted_secret', 'not like', `${prefix}%`)
    .orderBy('id');
}

async function encryptSetting(
  access: StoreAccess,
  cipher: SecretCipher,
  name: EncryptedSettingName,
): Promise<void> {
  const value = await findSetting(access, name);
  if (value === undefined || value.startsWith(cipher.prefix)) return;
  await putSetting(access, name, encryptAgain(cipher, value, settingOwner(name)));
}

function encryptAgain(cipher: SecretCipher, text: string, owner: string): string {
  return cipher.encrypt(isEncrypted(text) ? cipher.decrypt(text, owner) : text, owner);
}
