import { join } from 'node:path';
import type { Logger } from '../base/logger';
import { DATABASE_FILE, SECRETS_KEY_FILE } from './files/dataDirectoryLayout';
import type { SecretCipher } from './store/secrets';
import {
  memorySecretsKey,
  SecretsKeyFile,
  type SecretsKeySource,
} from './secrets/secretsKeySource';
import { unlockSecrets } from './secrets/unlockSecrets';
import type { ConnectionTimes } from './store/connectionWatch';
import { openPostgresStore, openSqliteStore } from './store/openStore';
import type { Store } from './store/store';

export interface FleetStoreOptions {
  /**
   * URL of a PostgreSQL database (`postgres://…`) that stores the fleet instead of the data
   * directory.
   */
  databaseUrl?: string | undefined;
  /**
   * Directory of the embedded store. If absent, the store is in memory and lost when the process
   * exits.
   */
  dataDir?: string | undefined;
  /**
   * Source of the secrets key. If absent, a file in `dataDir` is used. Without `dataDir`, the key
   * is lost when the process exits.
   */
  secretsKey?: SecretsKeySource | undefined;
  logger: Logger;
  /** Times of the connections to PostgreSQL. */
  connectionTimes?: ConnectionTimes | undefined;
}

/**
 * Opens a fleet's store and unlocks its secrets.
 * @throws if the store can't be opened; SecretsKeyError if its key is missing or incorrect.
 */
export async function openFleetStore(
  options: FleetStoreOptions,
): Promise<{ store: Store; cipher: SecretCipher }> {
  const { databaseUrl, dataDir, logger } = options;
  const store =
    databaseUrl === undefined
      ? await openSqliteStore(dataDir === undefined ? undefined : join(dataDir, DATABASE_FILE))
      : await openPostgresStore(databaseUrl, logger, options.connectionTimes);
  try {
    const secretsKey =
      dataDir === undefined
        ? memorySecretsKey()
        : new SecretsKeyFile(join(dataDir, SECRETS_KEY_FILE), logger);
    return { store, cipher: await unlockSecrets(store, options.secretsKey ?? secretsKey) };
  } catch (error) {
    await store.destroy();
    throw error;
  }
}
