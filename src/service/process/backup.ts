import { resolve } from 'node:path';
import { backUpFleet } from '../backup/backUpFleet';
import { restoreFleet } from '../backup/restoreFleet';
import type { BackupCommand, RestoreCommand } from './backupOptions';
import { CommandError } from './commandError';
import { defaultDataDirectory } from './dataDirectory';
import { JsonLineLogger } from './jsonLineLogger';

/**
 * Writes a backup, and says what is in it.
 * @throws CommandError when there is none afterwards, or one without all contents.
 */
export async function backUp(
  command: BackupCommand,
  print: (sentence: string) => void,
): Promise<void> {
  const target = resolve(command.target);
  const { contents, unavailable } = await backUpFleet({
    dataDirectory: resolveDirectory(command.dataDirectory),
    databaseUrl: command.databaseUrl,
    target,
    logger: stderrLogger(),
  });
  print(
    `backed up the database and ${countContents(contents)} to ${target}; all files are checked`,
  );
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
  const { contents, unavailable, createdAt } = await restoreFleet({
    backup: resolve(command.backup),
    dataDirectory: directory,
    databaseUrl: command.databaseUrl,
    logger: stderrLogger(),
  });
  print(
    `restored the database and ${countContents(contents)} of ${createdAt} into ${directory}; all files ` +
      'are checked',
  );
  if (unavailable > 0) {
    print(`the backup lacks ${countContents(unavailable)} that the service had lost before`);
  }
  print(
    `next: start it with service serve --data ${directory}, which makes a new owner's key in ` +
      'credentials.json there; all other keys are as they were',
  );
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
