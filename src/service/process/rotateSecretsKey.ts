import { join, resolve } from 'node:path';
import { exists } from '../backup/backupFolder';
import { newSecretsKey } from '../store/secretCipher';
import { SecretsKeyError, SecretsKeyFile } from '../secrets/secretsKeySource';
import { replaceSecrets, unlockSecrets } from '../secrets/unlockSecrets';
import { openPostgresStore, openSqliteStore } from '../store/openStore';
import type { Store } from '../store/store';
import { isDatabaseDamaged } from '../store/storeErrors';
import type { RotateSecretsKeyCommand } from './backupOptions';
import { claimDirectory, directoryInUse } from './claimDirectory';
import { CommandError } from './commandError';
import { damagedDatabaseError } from './databaseState';
import { defaultDataDirectory } from './dataDirectory';
import { DATABASE_FILE } from './dataDirectoryLayout';
import { JsonLineLogger } from './jsonLineLogger';
import { openSecretsKey } from './secretsKeyOptions';

/**
 * Encrypts all secrets with a new key, which replaces the old key in the key file. If the process
 * crashes at any point, the file contains every key that the store needs. The service can then
 * start, and the next rotation continues the interrupted one.
 * @throws CommandError if the service is running, or if the old key is missing or incorrect.
 */
export async function rotateSecretsKey(
  command: RotateSecretsKeyCommand,
  print: (sentence: string) => void,
): Promise<void> {
  const directory = resolve(
    command.dataDirectory ?? defaultDataDirectory(process.platform, process.env),
  );
  const logger = new JsonLineLogger('warn', (line) => process.stderr.write(line));
  const file = openSecretsKey(command.secretsKey, directory, logger);
  if (!(file instanceof SecretsKeyFile)) {
    throw new CommandError(
      `this command only rotates keys in files: change ${file.description} to the new key first ` +
        'and the old one after it, start the service, which encrypts everything with the new one, and ' +
        'then remove the old key',
    );
  }
  if (command.databaseUrl === undefined && !(await exists(join(directory, DATABASE_FILE)))) {
    throw new CommandError(
      `${directory} doesn't contain ${DATABASE_FILE}; specify the data directory of the service with --data DIR, ` +
        'and for a fleet in PostgreSQL its address with --database-url URL',
    );
  }
  const claim = await claimDirectory(directory);
  if (claim.kind === 'running') {
    throw directoryInUse(directory, claim.service);
  }
  using _lock = claim.lock;
  let store: Store | undefined;
  try {
    store =
      command.databaseUrl === undefined
        ? await openSqliteStore(join(directory, DATABASE_FILE))
        : await openPostgresStore(command.databaseUrl, logger);
    if (command.replacesSecrets) await replaceLostSecrets(store, file);
    await unlockSecrets(store, file);
    const keys = await file.read();
    const newKey = newSecretsKey();
    await file.write([newKey, ...(keys ?? [])]);
    const { keyId } = await unlockSecrets(store, file);
    await file.write([newKey]);
    print(`all secrets are encrypted with the new key ${keyId} in ${file.path}: keep a copy of it`);
  } catch (error) {
    if (isDatabaseDamaged(error)) {
      throw damagedDatabaseError({ directory, databaseUrl: command.databaseUrl }, error);
    }
    throw error instanceof SecretsKeyError ? new CommandError(error.message) : error;
  } finally {
    await store?.destroy();
  }
}

async function replaceLostSecrets(store: Store, file: SecretsKeyFile): Promise<void> {
  if ((await file.read()) !== undefined) {
    throw new CommandError(
      `${file.description} exists: secrets are replaced only when their key is lost. Move the file away ` +
        'if it has another key',
    );
  }
  await replaceSecrets(store);
}
