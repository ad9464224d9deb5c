import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Logger } from '../../base/logger';
import { exists } from '../backup/backupFolder';
import { findReason, isDatabaseDamaged } from '../store/storeErrors';
import { readWriteAheadLog } from '../store/writeAheadLog';
import { CommandError } from './commandError';
import { credentialsPath } from './credentialsFile';
import { CONTENTS_FOLDER, DAMAGED_DATABASE_FILE, DATABASE_FILE } from './dataDirectoryLayout';
import { readServiceFile } from './serviceFile';

const MEBIBYTE = 1024 * 1024;
/** The check reads all of the database, and clients wait for it. */
const MAX_CHECKED_BYTES = 256 * MEBIBYTE;
const MAX_PROBLEMS = 5;
const OWNER_ONLY = 0o600;
/** Contents are in folders that have the first letters of their hashes as names. */
const CONTENT_FOLDER = /^[0-9a-f]{2}$/;

/**
 * Checks the embedded database of a directory before it is opened: after a service that was interrupted, and as long
 * as the last check found damage. Damage is logged with the tables that it affects: the service still starts, and
 * answers what it can read.
 * @returns whether tables are damaged, or may be because the database is too large to check.
 * @throws CommandError when the directory has the data of a fleet and no database.
 */
export async function isDatabaseFileDamaged(directory: string, logger: Logger): Promise<boolean> {
  const path = join(directory, DATABASE_FILE);
  const bytes = await fileSize(path);
  if (bytes === 0) {
    if (await hasFleetData(directory)) {
      throw new CommandError(
        `${path} is missing or empty, and ${directory} has other data of a fleet: restore a backup into a new ` +
          'directory with service restore --from FOLDER --data DIR; for a fleet in PostgreSQL give its address ' +
          'with --database-url URL',
      );
    }
    return false;
  }
  const logPath = `${path}-wal`;
  const logBytes = await fileSize(logPath);
  const mark = join(directory, DAMAGED_DATABASE_FILE);
  const wasInterrupted = logBytes > 0 || (await readServiceFile(directory)) !== undefined;
  if (!wasInterrupted && !(await exists(mark))) return false;
  if (bytes + logBytes > MAX_CHECKED_BYTES) {
    logger.warn(
      'the last service was interrupted, and the database is too large to check at the start: service backup checks it',
      { file: path },
    );
    return true;
  }
  await reportLogDamage(logPath, logger);
  const isDamaged = reportDamagedTables(path, logger);
  // An interruption is forgotten with the next clean end, and damage must not be.
  if (isDamaged) await writeFile(mark, '', { mode: OWNER_ONLY });
  else await rm(mark, { force: true });
  return isDamaged;
}

/** Explains an error of a damaged database to the operator: what to do next. */
export function damagedDatabaseError(
  { directory, databaseUrl }: { directory: string; databaseUrl: string | undefined },
  error: unknown,
): CommandError {
  const [name, option] =
    databaseUrl === undefined
      ? [`the database of ${directory}`, '--data DIR, and start the service there']
      : [
          'the database in PostgreSQL',
          '--data DIR --database-url URL, and start the service there',
        ];
  return new CommandError(
    `${name} is damaged (${findReason(error)}): keep a copy of it, and restore the latest backup into a new ` +
      `${databaseUrl === undefined ? 'directory' : 'directory and database'} with service restore --from FOLDER ${option}`,
    undefined,
    { cause: error },
  );
}

async function reportLogDamage(path: string, logger: Logger): Promise<void> {
  const { unreadableBytes = 0 } = (await readWriteAheadLog(path)) ?? {};
  if (unreadableBytes > 0) {
    logger.warn(
      'the end of the write-ahead log of the database cannot be read, and the changes in it are missing: after a ' +
        'crash these are calls that were not answered; if the disk or a copy of the directory is damaged, answered ' +
        'calls can be among them: compare with the latest backup',
      { file: path, unreadableBytes },
    );
  }
}

/** @returns whether there are some. */
function reportDamagedTables(path: string, logger: Logger): boolean {
  const problems = new Map<string, string>();
  try {
    using database = new DatabaseSync(path, { readOnly: true });
    const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
    for (const { name } of tables) {
      const problem = findProblem(database, String(name));
      if (problem !== undefined) problems.set(String(name), problem);
    }
  } catch (error) {
    // What opens the database next explains it.
    if (isDatabaseDamaged(error)) return true;
    throw error;
  }
  if (problems.size > 0) {
    logger.error(
      'the database is damaged: restore a backup into a new directory with service restore; until then calls ' +
        'that need the damaged tables fail',
      {
        file: path,
        tables: [...problems.keys()].join(' '),
        problems: [...problems.values()].slice(0, MAX_PROBLEMS).join('; '),
      },
    );
  }
  return problems.size > 0;
}

function findProblem(database: DatabaseSync, table: string): string | undefined {
  try {
    const [result] = Object.values(
      database.prepare(`pragma quick_check('${table.replaceAll("'", "''")}')`).get() ?? {},
    );
    return result === 'ok' ? undefined : String(result).replaceAll(/\s+/g, ' ').trim();
  } catch (error) {
    if (isDatabaseDamaged(error)) return `${table}: ${findReason(error)}`;
    throw error;
  }
}

async function hasFleetData(directory: string): Promise<boolean> {
  if (await exists(join(directory, DATABASE_FILE))) {
    return exists(credentialsPath(directory));
  }
  const names = await readdir(join(directory, CONTENTS_FOLDER)).catch(() => []);
  return names.some((name) => CONTENT_FOLDER.test(name));
}

async function fileSize(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}
