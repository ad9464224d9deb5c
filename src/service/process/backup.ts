import { resolve } from 'node:path';
import { backUpFleet, findPartialBackups } from '../backup/backUpFleet';
import { restoreFleet } from '../backup/restoreFleet';
import { SecretsKeyError } from '../secrets/secretsKeySource';
import { isDatabaseDamaged } from '../store/storeErrors';
import type { BackupCommand, RestoreCommand } from './backupOptions';
import { CommandError } from './commandError';
import { damagedDatabaseError } from './databaseState';
import { getDefaultDataDirectory } from './dataDirectory';
import { CREDENTIALS_FILE } from './dataDirectoryLayout';
import { JsonLineLogger } from './jsonLineLogger';
import { openSecretsKey } from './commandOptions';

/**
 * Writes a backup and prints its contents.
 * @throws CommandError if the backup failed or is incomplete.
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
      dataDirectory,
      databaseUrl: command.databaseUrl,
      target,
      logger,
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
    `backed up the database and ${countContents(contents)} to ${target}; all files have been verified`,
  );
  for (const path of await findPartialBackups(target)) {
    print(
      `${path} is from a backup that was interrupted or is still running: delete it if no backup is running`,
    );
  }
  if (!command.includesSecretsKey && secretsKeyId !== '') {
    print(
      `the secrets in the backup are encrypted with the key ${secretsKeyId}, which is not in it: keep a copy of ` +
        `${key.description} elsewhere`,
    );
  }
  if (unavailable > 0) {
    throw new CommandError(
      `the service has lost or damaged ${countContents(unavailable)}, which are ` +
        `missing in ${target}; everything else is included. Keep earlier backups, and see the log of ` +
        'the service for details',
    );
  }
}

/**
 * Restores a backup and prints the next steps.
 * @throws CommandError if nothing was restored.
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
      backup: resolve(command.backup),
      dataDirectory: directory,
      secretsKey,
      logger,
      databaseUrl: command.databaseUrl,
    }),
  );
  print(
    `restored the database and ${countContents(contents)} of ${createdAt} into ${directory}; all files ` +
      'are checked',
  );
  if (unavailable > 0) {
    print(
      `the backup doesn't include ${countContents(unavailable)} that the service had already lost`,
    );
  }
  const hasKey = (await explainingKeyErrors(() => secretsKey.read())) !== undefined;
  if (!hasKey && secretsKeyId !== '') {
    print(
      `next: the secrets are encrypted with the key ${secretsKeyId}, which is not in the backup; copy ` +
        `the key file of the original service to ${secretsKey.description}`,
    );
  }
  print(
    `next: start it with service serve --data ${directory}, which creates a new owner's key in ` +
      `${CREDENTIALS_FILE} there; all other keys are unchanged`,
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
  return resolve(directory ?? getDefaultDataDirectory(process.platform, process.env));
}

function stderrLogger(): JsonLineLogger {
  return new JsonLineLogger('warn', (line) => process.stderr.write(line));
}

function countContents(count: number): string {
  return count === 1 ? '1 content' : `${count.toLocaleString('en-US')} contents`;
}
