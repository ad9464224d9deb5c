import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { getErrorCode } from '../../base/errorCode';
import { version } from '../../../package.json';
import { systemClock } from '../../base/clock';
import type { Logger } from '../../base/logger';
import { DurableCopies, makeDirectoryDurably, syncDirectory } from '../files/durableFiles';
import { findObjectsUrl } from '../objects/recordObjects';
import { CommandError } from '../files/commandError';
import {
  CONTENTS_FOLDER,
  DATABASE_FILE,
  OUTBOX_FOLDER,
  SECRETS_KEY_FILE,
} from '../files/dataDirectoryLayout';
import { BUCKET_CATALOG, COLD_CATALOG } from '../store/data/lakeManifest';
import { SecretCipher } from '../store/secrets';
import { SecretsKeyFile, type SecretsKeySource } from '../secrets/secretsKeySource';
import { hasClearSecrets } from '../secrets/unlockSecrets';
import { connectPostgresStore, openSqliteStore } from '../store/openStore';
import {
  type BackupFile,
  type BackupManifest,
  describeBackup,
  exists,
  listFiles,
  readManifest,
  hashFile,
} from './backupFolder';
import { copyFromPostgres, findDatabaseProblem } from './copyStores';
import { BackupContents } from './backupContents';
import { explainFileErrors } from './explainFileErrors';

export interface BackupOptions {
  /** The service's data directory. The service can be running during the backup. */
  dataDirectory: string;
  /** Connection URL, `postgres://…`, if the fleet isn't stored in the data directory. */
  databaseUrl: string | undefined;
  /** Folder to create and write to. It must not exist. */
  target: string;
  /** Key to include in the backup; absent to exclude it. */
  secretsKey: SecretsKeySource | undefined;
  logger: Logger;
}

const PARTIAL_SUFFIX = /\.[0-9a-f]{8}\.partial$/;
/**
 * Maximum number of passes. If contents are deleted while they are being copied, another pass
 * follows. Each pass takes less time than the previous one.
 */
const MAX_PASSES = 20;
/**
 * Number of pages per step. All pages are copied in one step, because a write by the service
 * between two steps would restart the copy.
 */
const ALL_PAGES = 2 ** 31 - 1;
/** Names that `OutboxMailer` gives to messages. */
const MESSAGE_NAME = /^[\w-]+\.eml$/;
/**
 * Tables that list files in the lake. A restored service recreates files in a folder from its
 * records, and finds those in the bucket. Files with cold readings are contents of the backup.
 */
const LAKE_TABLES = ['lake_progress', 'lake_files', 'deleted_readings'];

/**
 * Writes a backup of a fleet, even while its service is running. The backup consists of a
 * consistent snapshot of the database, all contents that the snapshot refers to, except for contents
 * in a bucket, and the messages in the outbox. Reads and checks all files before the folder is
 * renamed to its final name.
 * @throws CommandError if there is no fleet, the target exists, or the backup can't be written or
 *   fails its check; the partial backup is deleted.
 */
export async function backUpFleet(options: BackupOptions): Promise<BackupManifest> {
  const { dataDirectory: source, target } = options;
  const estimateBytes = (): Promise<number> => estimateBackupBytes(options);
  return explainFileErrors({ source, target, targetOption: '--to', estimateBytes }, () =>
    writeBackup(options),
  );
}

async function writeBackup(options: BackupOptions): Promise<BackupManifest> {
  const { target } = options;
  if (await exists(target)) {
    throw new CommandError(`${target} already exists: specify a folder that doesn't exist yet`);
  }
  const staging = `${target}.${randomBytes(4).toString('hex')}.partial`;
  try {
    await makeDirectoryDurably(staging);
    const copies = new DurableCopies(staging);
    const manifest = await fill(staging, copies, options);
    await check(staging, manifest);
    await copies.sync();
    await rename(staging, target);
    await syncDirectory(dirname(target));
    return manifest;
  } catch (error) {
    // The original error is more informative than an error during cleanup.
    await rm(staging, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Finds folders next to a target that an interrupted backup left behind or that a running backup is
 * writing.
 */
export async function findPartialBackups(target: string): Promise<string[]> {
  const folder = dirname(target);
  const names = await readdir(folder);
  return names
    .filter((name) => name.startsWith(`${basename(target)}.`) && PARTIAL_SUFFIX.test(name))
    .map((name) => join(folder, name));
}

async function fill(
  folder: string,
  copies: DurableCopies,
  options: BackupOptions,
): Promise<BackupManifest> {
  const createdAt = systemClock.now();
  const database = join(folder, DATABASE_FILE);
  const source = join(options.dataDirectory, CONTENTS_FOLDER);
  using contents = new BackupContents(source, folder, copies);
  const { objectsUrl, messages } = await copyConsistently(database, contents, options);
  const secretsKeyId = finishSnapshot(database);
  const problem = findDatabaseProblem(database);
  if (problem !== undefined) {
    throw new CommandError(
      `the database is damaged (${problem}), and so would be a backup of it: keep earlier backups, stop the ` +
        'service, and restore the latest backup into a new directory with service restore --from FOLDER --data DIR',
    );
  }
  async function* listAll(): AsyncGenerator<BackupFile> {
    yield { path: DATABASE_FILE, sha256: await hashFile(database) };
    yield* contents.list();
    yield* copyMessages(messages, folder, copies, options.dataDirectory);
    if (options.secretsKey !== undefined) {
      yield await writeKey(folder, options.secretsKey, secretsKeyId, options.logger);
    }
  }
  await describeBackup(folder, listAll(), {
    createdAt: new Date(createdAt).toISOString(),
    version,
    contents: contents.count,
    unavailable: contents.unavailable,
    secretsKeyId,
    objectsUrl: objectsUrl ?? '',
  });
  return await readManifest(folder);
}

/**
 * Copies the database and then the contents that it refers to. If any of the contents are deleted
 * before they are copied, copies the database again, because the new copy no longer refers to them.
 * Missing contents that two consecutive copies refer to are lost. Contents in a bucket are not
 * copied.
 * @returns the URL of that bucket, and the messages in the outbox after the last copy, which include
 *   those about everything in the database.
 */
async function copyConsistently(
  database: string,
  contents: BackupContents,
  options: BackupOptions,
): Promise<{ objectsUrl: string | undefined; messages: string[] }> {
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    await copyDatabase(database, options);
    const messages = await listMessages(options.dataDirectory);
    const { objectsUrl, hasNewMisses } = await copyReferenced(database, contents);
    if (!hasNewMisses) return { objectsUrl, messages };
  }
  throw new CommandError(
    'contents were deleted faster than they could be copied; run the backup again when fewer are deleted',
  );
}

async function listMessages(dataDirectory: string): Promise<string[]> {
  try {
    const names = await readdir(join(dataDirectory, OUTBOX_FOLDER));
    return names.filter((name) => MESSAGE_NAME.test(name));
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Copies messages. Skips those that have been deleted. */
async function* copyMessages(
  names: readonly string[],
  folder: string,
  copies: DurableCopies,
  dataDirectory: string,
): AsyncGenerator<BackupFile> {
  for (const name of names) {
    const source = join(dataDirectory, OUTBOX_FOLDER, name);
    try {
      const sha256 = await copies.copy(source, join(folder, OUTBOX_FOLDER, name));
      yield { path: `${OUTBOX_FOLDER}/${name}`, sha256 };
    } catch (error) {
      if (getErrorCode(error) !== 'ENOENT') throw error;
    }
  }
}

async function copyReferenced(
  database: string,
  contents: BackupContents,
): Promise<{ objectsUrl: string | undefined; hasNewMisses: boolean }> {
  const store = await openSqliteStore(database);
  try {
    if (await hasClearSecrets(store)) {
      throw new CommandError(
        'the database has unencrypted secrets, which anyone who reads the backup could use: start the service on ' +
          'it once with this version, which encrypts them, and back up again',
      );
    }
    const objectsUrl = await findObjectsUrl(store);
    const hasNewMisses = objectsUrl === undefined && (await contents.copyReferenced(store));
    return { objectsUrl, hasNewMisses };
  } finally {
    await store.destroy();
  }
}

/**
 * Copies a fleet's database to an SQLite file, even while the service is running.
 * @throws CommandError if there is no fleet.
 */
export async function copyDatabase(
  target: string,
  {
    dataDirectory,
    databaseUrl,
    logger,
  }: Pick<BackupOptions, 'dataDirectory' | 'databaseUrl' | 'logger'>,
): Promise<void> {
  await rm(target, { force: true });
  if (databaseUrl !== undefined) {
    await copyFromPostgres(connectPostgresStore(databaseUrl, logger), target);
    return;
  }
  const path = join(dataDirectory, DATABASE_FILE);
  if (!(await exists(path))) {
    throw new CommandError(
      `${dataDirectory} doesn't contain ${DATABASE_FILE}; specify the data directory of the service with --data ` +
        'DIR, and for a fleet in PostgreSQL its address with --database-url URL',
    );
  }
  const source = new DatabaseSync(path, { timeout: 5000 });
  try {
    await backup(source, target, { rate: ALL_PAGES });
  } finally {
    source.close();
  }
}

/** Estimates the size of a backup: the database and all contents. */
async function estimateBackupBytes({
  dataDirectory,
  databaseUrl,
  logger,
}: BackupOptions): Promise<number> {
  if (databaseUrl !== undefined) {
    const store = connectPostgresStore(databaseUrl, logger);
    try {
      const { rows } = await sql<{ bytes: number }>`
        select pg_database_size(current_database()) + coalesce(sum(size), 0)::bigint as bytes
        from blobs`.execute(store);
      return Number(rows[0]?.bytes);
    } finally {
      await store.destroy();
    }
  }
  const path = join(dataDirectory, DATABASE_FILE);
  using database = new DatabaseSync(path, { readOnly: true });
  const row = database.prepare('select coalesce(sum(size), 0) as bytes from blobs').get();
  return (await stat(path)).size + Number(row?.bytes);
}

async function writeKey(
  folder: string,
  source: SecretsKeySource,
  secretsKeyId: string,
  logger: Logger,
): Promise<BackupFile> {
  const keys = await source.read();
  if (keys === undefined || (secretsKeyId !== '' && !new SecretCipher(keys).hasKey(secretsKeyId))) {
    throw new CommandError(
      `${source.description} doesn't contain the key ${secretsKeyId}, which encrypts the secrets: ` +
        'specify the location of the key with --secrets-key-file FILE, or omit --include-secrets-key',
    );
  }
  const file = new SecretsKeyFile(join(folder, SECRETS_KEY_FILE), logger);
  await file.write(keys);
  return { path: SECRETS_KEY_FILE, sha256: await hashFile(file.path) };
}

/**
 * Reduces a snapshot to one file without a write-ahead log, and removes references to lake files
 * in folders.
 * @returns the ID of the key that encrypts the secrets in the snapshot; an empty string if there
 *   are no secrets.
 */
function finishSnapshot(path: string): string {
  const database = new DatabaseSync(path);
  try {
    for (const table of LAKE_TABLES) {
      database
        .prepare(`delete from ${table} where place not in (?, ?)`)
        .run(BUCKET_CATALOG, COLD_CATALOG);
    }
    database.exec('delete from lake_leases');
    database.exec('pragma journal_mode = delete');
    const { value } =
      database.prepare("select value from service_settings where name = 'secrets_key_id'").get() ??
      {};
    return typeof value === 'string' ? value : '';
  } finally {
    database.close();
  }
}

async function check(folder: string, { files }: BackupManifest): Promise<void> {
  let count = 0;
  for await (const { path, sha256 } of listFiles(folder)) {
    const written = await hashFile(join(folder, path));
    if (written !== sha256) {
      throw new CommandError(
        `${path} was not written correctly: check the disk of the backup, and try again`,
      );
    }
    count += 1;
  }
  if (count !== files) {
    throw new CommandError('the list of files was not written completely: try again');
  }
}
