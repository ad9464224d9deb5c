import { statfs } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { getErrorCode } from '../../base/errorCode';
import { CommandError } from '../files/commandError';
import { SecretsKeyError } from '../secrets/secretsKeySource';
import { isDatabaseDamaged, isDiskFull } from '../store/storeErrors';

/** Folders that a command uses. */
export interface FileWork {
  /** Folder to read. */
  source: string;
  /** Folder to write. */
  target: string;
  /** Option that specifies the target, such as `--to`. */
  targetOption: string;
  /** Returns the number of bytes that the target requires. */
  estimateBytes: () => Promise<number>;
}

interface FileError extends Error {
  code: string;
  path: string;
  /** SQLite's extended result code. */
  errcode: number;
}

const MEBIBYTE = 1024 * 1024;
const PERMISSION_CODES = ['EACCES', 'EPERM'];
const READ_ONLY = 'EROFS';
/** File system errors that an operator can fix. */
const FILE_CODES: readonly string[] = [
  ...[
    ...PERMISSION_CODES,
    READ_ONLY,
    'EBUSY',
    'EEXIST',
    'EFBIG',
    'EINVAL',
    'EIO',
    'EISDIR',
    'ELOOP',
  ],
  ...['EMFILE', 'ENAMETOOLONG', 'ENFILE', 'ENOENT', 'ENOTDIR', 'ENOTSUP', 'ENXIO', 'ESTALE'],
];
/** SQLite's primary result codes for a file that can't be read or written. */
const SQLITE_FILE_CODES: readonly number[] = [3, 8, 10, 14];
const SQLITE_PRIMARY_CODE = 0xff;
/** PostgreSQL's SQLSTATE for a full disk on the server. */
const POSTGRES_DISK_FULL = '53100';

/**
 * Runs work that reads from one folder and writes to another, and explains file system errors to
 * the operator.
 * @throws CommandError with the recommended action for file system errors; rethrows all other
 *   errors.
 */
export async function explainFileErrors<T>(work: FileWork, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const message = await explain(error, work);
    throw message === undefined ? error : new CommandError(message, undefined, { cause: error });
  }
}

async function explain(error: unknown, work: FileWork): Promise<string | undefined> {
  if (error instanceof CommandError || error instanceof SecretsKeyError) return undefined;
  if (isDatabaseDamaged(error)) return undefined;
  const { source, target, targetOption } = work;
  const { code = '', path, errcode = 0, message } = findOrigin(error);
  if (code === POSTGRES_DISK_FULL) {
    return 'the disk of the database server is full: free up space on it, and run the command again';
  }
  if (isDiskFull(error)) {
    return (
      `the disk of ${target} is full${await describeRoom(work)}: free up space on it, or specify a folder on ` +
      `another disk with ${targetOption}`
    );
  }
  const isSqlite = SQLITE_FILE_CODES.includes(errcode & SQLITE_PRIMARY_CODE);
  if (!FILE_CODES.includes(code) && !isSqlite) return undefined;
  const reason = isSqlite ? message : code;
  if (path !== undefined && isInside(path, source) && !isInside(path, target)) {
    const advice = PERMISSION_CODES.includes(code)
      ? 'run the command as the user that owns the file'
      : 'check the file and its disk, and run the command again';
    return `cannot read ${path} (${reason}): ${advice}`;
  }
  if (path === undefined && code !== READ_ONLY) {
    // Errors from open files and from SQLite don't contain the file name.
    return `cannot read ${source} or write to ${target} (${reason}): check both folders and their disks, and run the command again`;
  }
  return `cannot write to ${target} (${reason}): ${adviseOnTarget(code, targetOption)}`;
}

function adviseOnTarget(code: string, option: string): string {
  if (PERMISSION_CODES.includes(code)) {
    return `give the user that runs the command permission to write there, or specify another folder with ${option}`;
  }
  return code === READ_ONLY
    ? `its disk is read-only: specify a folder on another disk with ${option}`
    : `check the folder and its disk, or specify another folder with ${option}`;
}

/** Returns the innermost error, which comes from the file system or SQLite. */
function findOrigin(error: unknown): Partial<FileError> {
  if (!(error instanceof Error)) return {};
  return error.cause instanceof Error ? findOrigin(error.cause) : error;
}

function isInside(path: string, folder: string): boolean {
  return resolve(path) === resolve(folder) || resolve(path).startsWith(resolve(folder) + sep);
}

/** Describes the required and available disk space, if they can be determined. */
async function describeRoom({ target, estimateBytes }: FileWork): Promise<string> {
  const [needed, free] = await Promise.all([
    estimateBytes().catch(() => undefined),
    findFreeBytes(resolve(target)).catch(() => undefined),
  ]);
  if (needed === undefined || free === undefined) return '';
  return ` (about ${formatMebibytes(needed)} are needed there, and ${formatMebibytes(free)} are free)`;
}

async function findFreeBytes(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch (error) {
    if (getErrorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    return findFreeBytes(dirname(path));
  }
}

function formatMebibytes(bytes: number): string {
  return `${Math.ceil(bytes / MEBIBYTE).toLocaleString('en-US')} MiB`;
}
