import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getErrorCode } from '../../base/errorCode';
import type { Logger } from '../../base/logger';
import { DurableCopies, syncDirectory } from '../files/durableFiles';
import { CommandError } from '../files/commandError';
import { makeDataDirectory } from '../process/dataDirectory';
import {
  CONTENTS_FOLDER,
  DATABASE_FILE,
  LOCK_FILE,
  OUTBOX_FOLDER,
  SECRETS_KEY_FILE,
  UNFINISHED_RESTORE_FILE,
} from '../files/dataDirectoryLayout';
import { DirectoryLock } from '../process/claimDirectory';
import { SecretCipher } from '../store/secrets';
import type { SecretsKeySource } from '../secrets/secretsKeySource';
import { RESERVED_BYTES } from '../store/diskReserve';
import { openPostgresStore, openSqliteStore } from '../store/openStore';
import type { Store } from '../store/store';
import { isDiskFull } from '../store/storeErrors';
import { type BackupManifest, exists, listFiles, readManifest } from './backupFolder';
import { copyIntoPostgres, findDatabaseProblem } from './copyStores';
import { explainFileErrors } from './explainFileErrors';

export interface RestoreOptions {
  /** Folder of the backup. */
  backup: string;
  /** Data directory to fill. It must be empty or not exist. */
  dataDirectory: string;
  /**
   * Connection URL, `postgres://…`, of an empty database to fill in addition to the data directory.
   */
  databaseUrl: string | undefined;
  /** Source of the key for the secrets. The key doesn't have to exist yet. */
  secretsKey: SecretsKeySource;
  logger: Logger;
}

/**
 * Files that an empty directory can contain. A directory that is a separate file system contains
 * `lost+found`, and lock files remain from attempts that restored nothing.
 */
const INSIGNIFICANT = ['lost+found', LOCK_FILE, `${LOCK_FILE}-journal`];

/**
 * Restores a backup into an empty data directory and, if specified, an empty PostgreSQL database.
 * Checks every file while copying it.
 * @throws CommandError if the directory or database isn't empty, or if the backup is incomplete,
 *   damaged, or can't be read or written; in this case, nothing is restored.
 */
export async function restoreFleet(options: RestoreOptions): Promise<BackupManifest> {
  const { backup: source, dataDirectory: target } = options;
  const estimateBytes = (): Promise<number> => measureBackup(source);
  return explainFileErrors({ source, target, targetOption: '--data', estimateBytes }, () =>
    restoreInto(options),
  );
}

/** @throws CommandError if a restore into the directory was interrupted. */
export async function requireFinishedRestore(directory: string): Promise<void> {
  if (await isUnfinished(directory)) {
    throw new CommandError(
      `the restore into ${directory} was interrupted: delete the content of the directory, and restore again`,
    );
  }
}

async function restoreInto(options: RestoreOptions): Promise<BackupManifest> {
  const manifest = await readManifest(options.backup);
  const isNew = !(await exists(options.dataDirectory));
  const directory = makeDataDirectory(options.dataDirectory);
  // If the marker exists, the lock indicates whether the other restore is still running.
  if (!(await isUnfinished(directory))) await requireEmpty(directory);
  // Prevents a service from starting with a partially restored fleet, even if this process is
  // killed.
  using lock = DirectoryLock.tryAcquire(directory);
  if (lock === undefined) {
    throw new CommandError(`${directory} is in use by another process: choose another directory`);
  }
  await requireFinishedRestore(directory);
  // Another restore might have finished just before this one acquired the lock.
  await requireEmpty(directory);
  const mark = join(directory, UNFINISHED_RESTORE_FILE);
  try {
    await writeFile(mark, '', { flush: true });
    await syncDirectory(directory);
    if (isNew) await syncDirectory(dirname(directory));
    await fill(directory, manifest, options);
    await rm(mark);
    await syncDirectory(directory);
    return manifest;
  } catch (error) {
    // The marker prevents files that couldn't be deleted from being mistaken for a fleet. The
    // original error is more informative than an error during cleanup.
    await discard(directory, mark).catch(() => undefined);
    throw error;
  }
}

function isUnfinished(directory: string): Promise<boolean> {
  return exists(join(directory, UNFINISHED_RESTORE_FILE));
}

async function requireEmpty(directory: string): Promise<void> {
  const names = await readdir(directory);
  if (names.some((name) => !INSIGNIFICANT.includes(name))) {
    throw new CommandError(
      `${directory} is not empty: restore into a new directory, or move its content away`,
    );
  }
}

/** Deletes all files. Deletes the marker last, so that it survives a crash. */
async function discard(directory: string, mark: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!INSIGNIFICANT.includes(name) && name !== UNFINISHED_RESTORE_FILE) {
      await rm(join(directory, name), { recursive: true, force: true });
    }
  }
  await syncDirectory(directory);
  await rm(mark, { force: true });
  await syncDirectory(directory);
}

/**
 * Returns the size of a backup's files plus the disk space that the service reserves: the reserve
 * file and the same amount of free space.
 */
async function measureBackup(backup: string): Promise<number> {
  let bytes = 2 * RESERVED_BYTES;
  for await (const { path } of listFiles(backup)) bytes += (await stat(join(backup, path))).size;
  return bytes;
}

async function fill(
  directory: string,
  manifest: BackupManifest,
  { backup, databaseUrl, secretsKey, logger }: RestoreOptions,
): Promise<void> {
  // The database file is renamed last, or never if the fleet is restored to PostgreSQL.
  const database = join(directory, `${DATABASE_FILE}.restoring`);
  let files = 0;
  const copies = new DurableCopies(directory);
  for await (const { path, sha256 } of listFiles(backup)) {
    const target = path === DATABASE_FILE ? database : getRestorePath(directory, path, sha256);
    const written = await copies.copy(join(backup, path), target).catch((error: unknown) => {
      throw getErrorCode(error) === 'ENOENT' ? damaged(backup, `${path} is missing`, error) : error;
    });
    if (written !== sha256) throw damaged(backup, `${path} has changed since it was written`);
    files += 1;
  }
  if (files !== manifest.files || !(await exists(database))) {
    throw damaged(backup, 'files are missing from its list');
  }
  const problem = findDatabaseProblem(database);
  if (problem !== undefined) throw damaged(backup, `its database: ${problem}`);
  await checkKey(secretsKey, manifest.secretsKeyId);
  await bringUpToDate(database);
  await copies.sync();
  if (databaseUrl === undefined) {
    await rename(database, join(directory, DATABASE_FILE));
  } else {
    await fillPostgres(database, databaseUrl, logger);
    await rm(database);
  }
  await syncDirectory(directory);
}

/**
 * Rejects an incorrect key, which would otherwise be detected only when the service starts. A
 * missing key can be provided later.
 */
async function checkKey(source: SecretsKeySource, keyId: string): Promise<void> {
  const keys = await source.read();
  if (keyId !== '' && keys !== undefined && !new SecretCipher(keys).hasKey(keyId)) {
    throw new CommandError(
      `the secrets in the backup are encrypted with the key ${keyId}, and ${source.description} has ` +
        'another key: specify the right key, or none',
    );
  }
}

/**
 * Returns the target path of a content file, a message, or the key. Apart from the database, a backup
 * contains no other files.
 */
function getRestorePath(directory: string, path: string, sha256: string): string {
  if (path === SECRETS_KEY_FILE) return join(directory, path);
  const [folder, ...names] = path.split('/');
  const isMessage = folder === OUTBOX_FOLDER && names.length === 1;
  if (!isMessage && (folder !== CONTENTS_FOLDER || names.join('') !== sha256)) {
    throw new CommandError(`the backup has an unexpected file: ${path}`);
  }
  return join(directory, path);
}

async function bringUpToDate(database: string): Promise<void> {
  try {
    await (await openSqliteStore(database)).destroy();
  } catch (error) {
    if (isDiskFull(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`the backup can't be restored: ${reason}`, undefined, { cause: error });
  }
}

async function fillPostgres(database: string, url: string, logger: Logger): Promise<void> {
  let store: Store;
  try {
    store = await openPostgresStore(url, logger);
  } catch (error) {
    throw new CommandError(
      `the database can't be opened: ${String(error)}; check that it is running, or correct its address`,
      undefined,
      { cause: error },
    );
  }
  try {
    const organizations = await store.selectFrom('organizations').select('id').limit(1).execute();
    if (organizations.length > 0) {
      throw new CommandError(
        'the database already contains a fleet: restore into a new, empty database',
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
