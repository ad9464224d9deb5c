import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { version } from '../../../package.json';
import { systemClock } from '../../base/clock';
import type { Logger } from '../../base/logger';
import { syncDirectory } from '../blobs/fileBlobStore';
import { CommandError } from '../process/commandError';
import { CONTENTS_FOLDER, DATABASE_FILE, SECRETS_KEY_FILE } from '../process/dataDirectoryLayout';
import { SecretCipher } from '../store/secretCipher';
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
  sha256OfFile,
} from './backupFolder';
import { checkDatabase } from './checkDatabase';
import { copyFromPostgres } from './copyStores';
import { BackupContents } from './backupContents';

export interface BackupOptions {
  /** The data directory of the service, which may run. */
  dataDirectory: string;
  /** `postgres://…`, where the fleet is when it is not in the data directory. */
  databaseUrl: string | undefined;
  /** The folder to write; there must be none. */
  target: string;
  /** The key to put into the backup; absent, it has none. */
  secretsKey: SecretsKeySource | undefined;
  logger: Logger;
}

const OWNER_ONLY_DIRECTORY = 0o700;
/** Contents that were deleted while they were copied make another pass; each takes less time. */
const MAX_PASSES = 20;
/** All in one step: with several, each write of the service would make the copy begin again. */
const ALL_PAGES = 2 ** 31 - 1;
/** These tables list files of the lake, which a restored service makes again from its records. */
const LAKE_TABLES = ['lake_progress', 'lake_files', 'deleted_readings'];

/**
 * Writes a backup of a fleet, also while its service runs: the database as it is at one moment, and
 * every content that this database refers to. Everything is read again and checked before the folder
 * gets its name.
 * @throws CommandError when there is no fleet or the target exists, and when the backup cannot be
 *   written or does not pass its check; nothing is left behind then.
 */
export async function backUpFleet(options: BackupOptions): Promise<BackupManifest> {
  const { target } = options;
  if (await exists(target)) {
    throw new CommandError(`${target} exists already: name a folder that is not there yet`);
  }
  const staging = `${target}.${randomBytes(4).toString('hex')}.partial`;
  try {
    await mkdir(staging, { recursive: true, mode: OWNER_ONLY_DIRECTORY });
    const manifest = await fill(staging, options);
    await check(staging, manifest);
    await syncDirectory(staging);
    await rename(staging, target);
    await syncDirectory(dirname(target));
    return manifest;
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
}

async function fill(folder: string, options: BackupOptions): Promise<BackupManifest> {
  const createdAt = systemClock.now();
  const database = join(folder, DATABASE_FILE);
  const contents = new BackupContents(
    join(options.dataDirectory, CONTENTS_FOLDER),
    join(folder, CONTENTS_FOLDER),
  );
  const unavailable = await copyConsistently(database, contents, options);
  const secretsKeyId = finishSnapshot(database);
  const files: BackupFile[] = [
    { path: DATABASE_FILE, sha256: await sha256OfFile(database) },
    ...contents.list(`${CONTENTS_FOLDER}/`),
  ];
  if (options.secretsKey !== undefined) {
    files.push(await writeKey(folder, options.secretsKey, secretsKeyId, options.logger));
  }
  await describeBackup(folder, files, {
    createdAt: new Date(createdAt).toISOString(),
    version,
    contents: contents.count,
    ...{ unavailable, secretsKeyId },
  });
  return readManifest(folder);
}

/**
 * Copies the database and then the contents that it refers to. Some may be deleted before their turn
 * comes: then the database is copied again, which does not refer to them any more.
 * @returns how many contents are not to be had, although the last copy refers to them.
 */
async function copyConsistently(
  database: string,
  contents: BackupContents,
  options: BackupOptions,
): Promise<number> {
  let suspects: ReadonlySet<string> = new Set();
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    await copyDatabase(database, options);
    const unavailable = await copyReferenced(database, contents);
    if ([...unavailable].every((hash) => suspects.has(hash))) return unavailable.size;
    suspects = unavailable;
  }
  throw new CommandError(
    'contents were deleted faster than they could be copied; run the backup again when fewer are deleted',
  );
}

async function copyReferenced(
  database: string,
  contents: BackupContents,
): Promise<ReadonlySet<string>> {
  const store = await openSqliteStore(database);
  try {
    if (await hasClearSecrets(store)) {
      throw new CommandError(
        'the database has secrets in clear, which anyone who reads the backup could use: start the service on ' +
          'it once with this version, which encrypts them, and back up again',
      );
    }
    return await contents.copyReferenced(store);
  } finally {
    await store.destroy();
  }
}

async function copyDatabase(
  target: string,
  { dataDirectory, databaseUrl, logger }: BackupOptions,
): Promise<void> {
  await rm(target, { force: true });
  if (databaseUrl !== undefined) {
    await copyFromPostgres(connectPostgresStore(databaseUrl, logger), target);
    return;
  }
  const path = join(dataDirectory, DATABASE_FILE);
  if (!(await exists(path))) {
    throw new CommandError(
      `${dataDirectory} holds no ${DATABASE_FILE}; name the data directory of the service with --data ` +
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

async function writeKey(
  folder: string,
  source: SecretsKeySource,
  secretsKeyId: string,
  logger: Logger,
): Promise<BackupFile> {
  const keys = await source.read();
  if (keys === undefined || (secretsKeyId !== '' && !new SecretCipher(keys).hasKey(secretsKeyId))) {
    throw new CommandError(
      `${source.description} does not have the key ${secretsKeyId}, which the secrets are encrypted with: ` +
        'name where that is with --secrets-key-file FILE, or leave out --include-secrets-key',
    );
  }
  const file = new SecretsKeyFile(join(folder, SECRETS_KEY_FILE), logger);
  await file.write(keys);
  return { path: SECRETS_KEY_FILE, sha256: await sha256OfFile(file.path) };
}

/**
 * Leaves one file without a log of writes beside it, and without a list of files that are not here.
 * @returns the ID of the key that its secrets are encrypted with, or an empty text.
 */
function finishSnapshot(path: string): string {
  const database = new DatabaseSync(path);
  try {
    for (const table of LAKE_TABLES) database.exec(`delete from ${table}`);
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
    const written = await sha256OfFile(join(folder, path));
    if (written !== sha256) {
      throw new CommandError(
        `${path} was not written as it was read: check the disk of the backup, and try again`,
      );
    }
    count += 1;
  }
  if (count !== files) {
    throw new CommandError('the list of files was not written as a whole: try again');
  }
  checkDatabase(join(folder, DATABASE_FILE));
}
