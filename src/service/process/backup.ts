import { join, resolve } from 'node:path';
import { ConnectError } from '@connectrpc/connect';
import { backUpFleet, findPartialBackups } from '../backup/backUpFleet';
import { restoreFleet } from '../backup/restoreFleet';
import { type ContentProblem, verifyContents } from '../backup/verifyContents';
import { SecretsKeyError } from '../secrets/secretsKeySource';
import { isDatabaseDamaged } from '../store/storeErrors';
import type { BackupCommand, RestoreCommand, VerifyCommand } from './backupOptions';
import { CommandError } from '../files/commandError';
import { damagedDatabaseError } from './databaseState';
import { getDefaultDataDirectory } from './dataDirectory';
import { CONTENTS_FOLDER, CREDENTIALS_FILE } from '../files/dataDirectoryLayout';
import { JsonLineLogger } from './jsonLineLogger';
import { openCommandBucket, openSecretsKey } from './commandOptions';

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
  const { contents, unavailable, secretsKeyId, objectsUrl } = await explainingKeyErrors(() =>
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
  if (objectsUrl === '') {
    print(
      `backed up the database and ${countContents(contents)} to ${target}; all files have been verified`,
    );
  } else {
    print(
      `backed up the database to ${target}, and verified it; the contents are in the bucket ${objectsUrl} and not in ` +
        'the backup: back up the bucket by its own means, such as versioning',
    );
  }
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
  const { contents, unavailable, createdAt, secretsKeyId, objectsUrl } = await explainingKeyErrors(
    () =>
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
  if (objectsUrl !== '') {
    print(
      `next: the contents are in the bucket ${objectsUrl}, or a copy of it, and not in the backup; check them with ` +
        `service verify --data ${directory}. If the original service still runs, use a copy, because each service ` +
        'deletes what its own records no longer refer to',
    );
  }
  const option = objectsUrl === '' ? '' : ` --objects "${objectsUrl}"`;
  print(
    `next: start it with service serve --data ${directory}${option}, which creates a new owner's key in ` +
      `${CREDENTIALS_FILE} there; all other keys are unchanged`,
  );
}

/**
 * Compares records with stored contents, and prints the problems.
 * @throws CommandError if there are problems.
 */
export async function verify(
  command: VerifyCommand,
  print: (sentence: string) => void,
): Promise<void> {
  const { databaseUrl, objects, comparesOnlySizes } = command;
  const dataDirectory = resolveDirectory(command.dataDirectory);
  await using buckets = new AsyncDisposableStack();
  const { referenced, problems, objectsUrl } = await verifyContents({
    dataDirectory,
    databaseUrl,
    comparesOnlySizes,
    logger: stderrLogger(),
    objects,
    openBucket: async (location) => {
      const bucket = await openCommandBucket(location);
      buckets.defer(() => bucket.close());
      return bucket;
    },
  }).catch((error: unknown) => {
    throw error instanceof ConnectError ? new CommandError(error.rawMessage) : error;
  });
  for (const { kind, hash, detail } of problems) print(`${kind} ${hash}: ${detail}`);
  const source = objectsUrl ?? join(dataDirectory, CONTENTS_FOLDER);
  if (problems.length === 0) {
    print(
      `all ${countContents(referenced)} in ${source} match the records, and no others are stored`,
    );
    return;
  }
  const count = (kind: ContentProblem['kind']): string =>
    String(problems.filter((problem) => problem.kind === kind).length);
  throw new CommandError(
    `${count('missing')} missing, ${count('damaged')} damaged, and ${count('orphaned')} orphaned of ` +
      `${countContents(referenced)} in ${source}: restore missing and damaged ones from a backup, or delete their items; ` +
      'orphaned ones can be deleted if no other fleet uses them',
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
