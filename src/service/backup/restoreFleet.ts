import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from '../../base/logger';
import { syncDirectory } from '../blobs/fileBlobStore';
import { CommandError, systemErrorCode } from '../process/commandError';
import { makeDataDirectory } from '../process/dataDirectory';
import {
  CONTENTS_FOLDER,
  DATABASE_FILE,
  SECRETS_KEY_FILE,
  UNFINISHED_RESTORE_FILE,
} from '../process/dataDirectoryLayout';
import { DirectoryLock } from '../process/directoryLock';
import { SecretCipher } from '../store/secretCipher';
import type { SecretsKeySource } from '../secrets/secretsKeySource';
import { openPostgresStore, openSqliteStore } from '../store/openStore';
import type { Store } from '../store/store';
import {
  type BackupManifest,
  copyFileDurably,
  exists,
  listFiles,
  readManifest,
} from './backupFolder';
import { checkDatabase } from './checkDatabase';
import { copyIntoPostgres } from './copyStores';

export interface RestoreOptions {
  /** The folder that a backup has written. */
  backup: string;
  /** The data directory to fill; it must be empty, or not there yet. */
  dataDirectory: string;
  /** `postgres://…`, an empty database to fill instead of the data directory. */
  databaseUrl: string | undefined;
  /** Where the key of the secrets is, or is to be. */
  secretsKey: SecretsKeySource;
  logger: Logger;
}

/** A file system of its own has this folder in it. */
const ALWAYS_THERE = ['lost+found'];

/**
 * Fills an empty data directory, and an empty PostgreSQL database if one is named, from a backup.
 * Every file is checked while it is copied.
 * @throws CommandError when the directory or database is not empty, and when the backup is not
 *   complete or damaged; the directory is empty then.
 */
export async function restoreFleet(options: RestoreOptions): Promise<BackupManifest> {
  const manifest = await readManifest(options.backup);
  const directory = makeDataDirectory(options.dataDirectory);
  const present = (await readdir(directory)).filter((name) => !ALWAYS_THERE.includes(name));
  if (present.length > 0) {
    throw new CommandError(
      `${directory} is not empty: restore into a new directory, or move away what is in it`,
    );
  }
  // Keeps a service from starting on half of a fleet, also after this process was killed.
  const lock = DirectoryLock.tryAcquire(directory);
  if (lock === undefined) {
    throw new CommandError(`${directory} is in use by another process: choose another directory`);
  }
  try {
    await writeFile(join(directory, UNFINISHED_RESTORE_FILE), '', { flush: true });
    await fill(directory, manifest, options);
    await rm(join(directory, UNFINISHED_RESTORE_FILE));
    await syncDirectory(directory);
    lock[Symbol.dispose]();
    return manifest;
  } catch (error) {
    lock[Symbol.dispose]();
    for (const name of await readdir(directory)) {
      if (!ALWAYS_THERE.includes(name)) {
        await rm(join(directory, name), { recursive: true, force: true });
      }
    }
    throw error;
  }
}

/** @throws CommandError when a restore into the directory did not come to its end. */
export async function requireFinishedRestore(directory: string): Promise<void> {
  if (await exists(join(directory, UNFINISHED_RESTORE_FILE))) {
    throw new CommandError(
      `the restore into ${directory} was interrupted: delete what is in the directory, and restore again`,
    );
  }
}

async function fill(
  directory: string,
  manifest: BackupManifest,
  { backup, databaseUrl, secretsKey, logger }: RestoreOptions,
): Promise<void> {
  // It gets its name last, and none when the fleet goes to PostgreSQL.
  const database = join(directory, `${DATABASE_FILE}.restoring`);
  let files = 0;
  const folders = new Set<string>();
  for await (const { path, sha256 } of listFiles(backup)) {
    const target = path === DATABASE_FILE ? database : targetOf(directory, path, sha256);
    const written = await copyFileDurably(join(backup, path), target).catch((error: unknown) => {
      throw systemErrorCode(error) === 'ENOENT'
        ? damaged(backup, `${path} is missing`, error)
        : new CommandError(`${path} cannot be copied: ${String(error)}`, undefined, {
            cause: error,
          });
    });
    if (written !== sha256) {
      throw damaged(backup, `${path} has changed since it was written`);
    }
    folders.add(dirname(target));
    files += 1;
  }
  if (files !== manifest.files || !(await exists(database))) {
    throw damaged(backup, 'files are missing in its list');
  }
  checkDatabase(database);
  await checkKey(secretsKey, manifest.secretsKeyId);
  await bringUpToDate(database);
  for (const folder of folders) await syncDirectory(folder);
  if (databaseUrl === undefined) {
    await rename(database, join(directory, DATABASE_FILE));
  } else {
    await fillPostgres(database, databaseUrl, logger);
    await rm(database);
  }
}

/** The key may come later; a wrong one would only be noticed at the start. */
async function checkKey(source: SecretsKeySource, keyId: string): Promise<void> {
  const keys = await source.read();
  if (keyId !== '' && keys !== undefined && !new SecretCipher(keys).hasKey(keyId)) {
    throw new CommandError(
      `the secrets in the backup are encrypted with the key ${keyId}, and ${source.description} has ` +
        'another key: name the right one, or none',
    );
  }
}

/** Contents and the key go where the service looks for them; a backup has nothing else. */
function targetOf(directory: string, path: string, sha256: string): string {
  if (path === SECRETS_KEY_FILE) return join(directory, path);
  const [folder, ...names] = path.split('/');
  if (folder !== CONTENTS_FOLDER || names.join('') !== sha256) {
    throw new CommandError(`the backup has a file that belongs nowhere: ${path}`);
  }
  return join(directory, path);
}

async function bringUpToDate(database: string): Promise<void> {
  try {
    await (await openSqliteStore(database)).destroy();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`the backup cannot be restored: ${reason}`, undefined, { cause: error });
  }
}

async function fillPostgres(database: string, url: string, logger: Logger): Promise<void> {
  let store: Store;
  try {
    store = await openPostgresStore(url, logger);
  } catch (error) {
    throw new CommandError(
      `the database cannot be opened: ${String(error)}; check that it runs, or correct its address`,
      undefined,
      { cause: error },
    );
  }
  try {
    const organizations = await store.selectFrom('organizations').select('id').limit(1).execute();
    if (organizations.length > 0) {
      throw new CommandError(
        'the database holds a fleet already: restore into a new database, which is empty',
      );
    }
    await copyIntoPostgres(database, store);
  } finally {
    await store.destroy();
  }
}

function damaged(backup: string, reason: string, cause?: unknown): CommandError {
  return new CommandError(
    `the backup ${backup} is damaged: ${reason}; use another one`,
    undefined,
    {
      cause,
    },
  );
}
