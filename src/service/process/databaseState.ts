import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../base/logger';
import { exists } from '../backup/backupFolder';
import { findReason, isDatabaseDamaged } from '../store/storeErrors';
import { readWriteAheadLog } from '../store/writeAheadLog';
import { CommandError } from '../files/commandError';
import { credentialsPath } from './credentialsFile';
import {
  CONTENTS_FOLDER,
  DAMAGED_DATABASE_FILE,
  DATABASE_FILE,
} from '../files/dataDirectoryLayout';
import { findDamagedTables, recordDamagedTables, requestDatabaseCheck } from './databaseCheck';
import { readServiceFile } from './claimDirectory';

const MEBIBYTE = 1024 * 1024;
/**
 * Maximum size of a database to check at startup. The check reads the entire database while clients
 * wait.
 */
const MAX_CHECKED_BYTES = 256 * MEBIBYTE;
/**
 * Matches content folders, which are named after the first characters of their contents' hashes.
 */
const CONTENT_FOLDER = /^[0-9a-f]{2}$/;

/** Result of the startup check. */
export type DatabaseState = 'sound' | 'damaged' | 'unchecked';

/**
 * Checks the embedded database in a directory before it is opened, if the last run was interrupted
 * or the last check found damage. Logs the damaged tables. The service still starts and serves all
 * readable data. Large databases are left to a `DatabaseCheck`.
 * @throws CommandError if the directory contains fleet data but no database.
 */
export async function checkDatabaseFile(directory: string, logger: Logger): Promise<DatabaseState> {
  const path = join(directory, DATABASE_FILE);
  const bytes = await fileSize(path);
  if (bytes === 0) {
    if (await hasFleetData(directory)) {
      throw new CommandError(
        `${path} is missing or empty, but ${directory} has other fleet data: restore a backup into a new ` +
          'directory with service restore --from FOLDER --data DIR; for a fleet in PostgreSQL, specify its address ' +
          'with --database-url URL',
      );
    }
    return 'sound';
  }
  const logPath = `${path}-wal`;
  const logBytes = await fileSize(logPath);
  const mark = join(directory, DAMAGED_DATABASE_FILE);
  const wasInterrupted = logBytes > 0 || (await readServiceFile(directory)) !== undefined;
  if (!wasInterrupted && !(await exists(mark))) return 'sound';
  if (logBytes <= MAX_CHECKED_BYTES) await reportLogDamage(logPath, logger);
  if (bytes + logBytes > MAX_CHECKED_BYTES) {
    await requestDatabaseCheck(directory);
    return 'unchecked';
  }
  return (await recordDamage(directory, logger)) ? 'damaged' : 'sound';
}

/**
 * Converts an error caused by a damaged database to an error that explains to the operator what to
 * do.
 */
export function damagedDatabaseError(
  { directory, databaseUrl }: { directory: string; databaseUrl: string | undefined },
  error: unknown,
): CommandError {
  const reason = findReason(error);
  const message =
    databaseUrl === undefined
      ? `the database of ${directory} is damaged (${reason}): keep a copy of it, and restore the latest backup ` +
        'into a new directory with service restore --from FOLDER --data DIR, and start the service there'
      : `the database in PostgreSQL is damaged (${reason}): keep a copy of it, and restore the latest backup ` +
        'into a new directory and database with service restore --from FOLDER --data DIR --database-url URL, ' +
        'and start the service there';
  return new CommandError(message, undefined, { cause: error });
}

async function reportLogDamage(path: string, logger: Logger): Promise<void> {
  const { unreadableBytes = 0 } = (await readWriteAheadLog(path)) ?? {};
  if (unreadableBytes > 0) {
    logger.warn(
      "the end of the write-ahead log of the database can't be read, and its changes are lost: after a " +
        'crash, these are calls without a response; if the disk or a copy of the directory is damaged, completed ' +
        'calls can be affected: compare with the latest backup',
      { file: path, unreadableBytes },
    );
  }
}

/** @returns true if the database is damaged. */
async function recordDamage(directory: string, logger: Logger): Promise<boolean> {
  try {
    const problems = findDamagedTables(join(directory, DATABASE_FILE));
    await recordDamagedTables(directory, problems, logger);
    return problems.size > 0;
  } catch (error) {
    if (!isDatabaseDamaged(error)) throw error;
    // The code that opens the database afterward explains the problem.
    await requestDatabaseCheck(directory);
    return true;
  }
}

async function hasFleetData(directory: string): Promise<boolean> {
  if (await exists(join(directory, DATABASE_FILE))) return exists(credentialsPath(directory));
  const names = await readdir(join(directory, CONTENTS_FOLDER)).catch(() => []);
  return names.some((name) => CONTENT_FOLDER.test(name));
}

async function fileSize(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}
