import { resolve } from 'node:path';
import { backUpFleet, findPartialBackups } from '../backup/backUpFleet';
import { restoreFleet } from '../backup/restoreFleet';
import { SecretsKeyError } from '../secrets/secretsKeySource';
import { isDatabaseDamaged } from '../store/storeErrors';
import type { BackupCommand, RestoreCommand } from './backupOptions';
import { CommandError } from './commandError';
import { damagedDatabaseError } from './databaseState';
import { defaultDataDirectory } from './dataDirectory';
import { CREDENTIALS_FILE } from './dataDirectoryLayout';
import { JsonLineLogger } from './jsonLineLogger';
import { openSecretsKey } from './secretsKeyOptions';

/**
 * Writes a backup, and says what is in it.
 * @throws CommandError when there is none afterwards, or one without all contents.
 */
export async function backUp(
  command: BackupCommand,
  print: (sentence: string) => void,
): Promise<void> {
  const target = resolve(command.target);
  const dataDirectory = resolveDirectory(command.dataDirectory);
  const logger = stderrLogger();
  const key = openSecretsKey(command.secretsKey, dataDirectory, logger);
  const { contents, unavailable, secretsKeyId } = await explainingKeyErrors(() =>
    backUpFleet({
      ...{ dataDirectory, databaseUrl: command.databaseUrl, target, logger },
      secretsKey: command.includesSecretsKey ? key : undefined,
    }),
  ).catch((error: unknown) => {
    if (!isDatabaseDamaged(error)) throw error;
    throw damagedDatabaseError(
      { directory: dataDirectory, databaseUrl: command.databaseUrl },
      error,
    );
  });
  print(
    `backed up the database and ${countContents(contents)} to ${target}; all files are checked`,
  );
  for (const path of await findPartialBackups(target)) {
    print(`${path} is of a backup that was interrupted or still runs: delete it if none runs`);
  }
  if (!command.includesSecretsKey && secretsKeyId !== '') {
    print(
      `the secrets in it are encrypted with the key ${secretsKeyId}, which is not in it: keep a copy of ` +
        `${key.description} elsewhere`,
    );
  }
  if (unavailable > 0) {
    throw new CommandError(
      `the service itself has lost or damaged ${countContents(unavailable)}, which the backup ` +
        `${target} lacks too; it has everything else. Keep earlier backups, and look at the log of ` +
        'the service for what is missing',
    );
  }
}

/**
 * Restores a backup, and says what to do next.
 * @throws CommandError when nothing was restored.
 */
export async function restore(
  command: RestoreCommand,
  print: (sentence: string) => void,
): Promise<void> {
  const directory = resolveDirectory(command.dataDirectory);
  const logger = stderrLogger();
  const secretsKey = openSecretsKey(command.secretsKey, directory, logger);
  const { contents, unavailable, createdAt, secretsKeyId } = await explainingKeyErrors(() =>
    restoreFleet({
      ...{ backup: resolve(command.backup), dataDirectory: directory, secretsKey, logger },
      databaseUrl: command.databaseUrl,
    }),
  );
  print(
    `restored the database and ${countContents(contents)} of ${createdAt} into ${directory}; all files ` +
      'are checked',
  );
  if (unavailable > 0) {
    print(`the backup lacks ${countContents(unavailable)} that the service had lost before`);
  }
  const hasKey = (await explainingKeyErrors(() => secretsKey.read())) !== undefined;
  if (!hasKey && secretsKeyId !== '') {
    print(
      `next: the secrets are encrypted with the key ${secretsKeyId}, which the backup does not have; copy ` +
        `the key file of the backed up service to ${secretsKey.description}`,
    );
  }
  print(
    `next: start it with service serve --data ${directory}, which makes a new owner's key in ` +
      `${CREDENTIALS_FILE} there; all other keys are as they were`,
  );
}

async function explainingKeyErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof SecretsKeyError ? new CommandError(error.message) : error;
  }
}

function resolveDirectory(directory: string | undefined): string {
  return resolve(directory ?? defaultDataDirectory(process.platform, process.env));
}

function stderrLogger(): JsonLineLogger {
  return new JsonLineLogger('warn', (line) => process.stderr.write(line));
}

function countContents(count: number): string {
  return count === 1 ? '1 content' : `${count.toLocaleString('en-US')} contents`;
}
