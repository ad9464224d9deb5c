import { join } from 'node:path';
import type { Logger } from '../base/logger';
import { DATABASE_FILE, SECRETS_KEY_FILE } from './process/dataDirectoryLayout';
import type { SecretCipher } from './store/secretCipher';
import {
  memorySecretsKey,
  SecretsKeyFile,
  type SecretsKeySource,
} from './secrets/secretsKeySource';
import { unlockSecrets } from './secrets/unlockSecrets';
import { openPostgresStore, openSqliteStore } from './store/openStore';
import type { Store } from './store/store';

export interface FleetStoreOptions {
  /** `postgres://…`: keeps the fleet there instead of in the data directory. */
  databaseUrl?: string | undefined;
  /** Where the embedded store lives; absent, it lives in memory and ends with the process. */
  dataDir?: string | undefined;
  /** The key of the secrets; absent, a file in `dataDir`, or one that ends with the process. */
  secretsKey?: SecretsKeySource | undefined;
  logger: Logger;
}

/**
 * Opens the store of a fleet with its secrets.
 * @throws when the store cannot be opened, and SecretsKeyError when its key is missing or wrong.
 */
export async function openFleetStore(
  options: FleetStoreOptions,
): Promise<{ store: Store; cipher: SecretCipher }> {
  const { databaseUrl, dataDir, logger } = options;
  const store =
    databaseUrl === undefined
      ? await openSqliteStore(dataDir === undefined ? undefined : join(dataDir, DATABASE_FILE))
      : await openPostgresStore(databaseUrl, logger);
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
