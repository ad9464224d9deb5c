import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { getErrorCode } from '../../base/errorCode';
import { CommandError } from '../files/commandError';

const PRODUCT = 'fleetwright';
const OWNER_ONLY = 0o700;

/** Returns the platform's default directory for a program's data. */
export function getDefaultDataDirectory(
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
  home = homedir(),
): string {
  switch (platform) {
    case 'win32':
      return join(environment.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), PRODUCT);
    case 'darwin':
      return join(home, 'Library', 'Application Support', PRODUCT);
    default: {
      const named = environment.XDG_DATA_HOME ?? '';
      // The XDG base directory specification requires relative paths to be ignored.
      return join(isAbsolute(named) ? named : join(home, '.local', 'share'), PRODUCT);
    }
  }
}

/**
 * Creates the directory if it doesn't exist, accessible only to its owner. Returns the directory's
 * absolute path.
 * @throws CommandError if the directory can't be created.
 */
export function makeDataDirectory(directory: string): string {
  const path = resolve(directory);
  return explainingFailures(path, () => {
    makeDirectories(path);
    return path;
  });
}

// Node.js's recursive option never returns if the system reports ENOENT below an existing parent,
// as Linux does under /proc.
function makeDirectories(path: string): void {
  try {
    mkdirSync(path, { mode: OWNER_ONLY });
  } catch (error) {
    const code = getErrorCode(error);
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error;
    makeDirectories(dirname(path));
    mkdirSync(path, { mode: OWNER_ONLY });
  }
}

/** Creates a directory that is removed with all its contents when the process exits. */
export function makeEphemeralDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), `${PRODUCT}-`));
  process.once('exit', () => {
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}

/**
 * Runs a function that writes to a data directory, and converts failures caused by the directory to
 * errors that explain the problem.
 */
export function explainingFailures<T>(directory: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    const reason =
      getErrorCode(error) === 'ERR_SQLITE_ERROR' ? (error as Error).message : getErrorCode(error);
    throw new CommandError(
      `can't write to the data directory ${directory} (${reason ?? String(error)}); ` +
        'fix its permissions, or use another directory with --data DIR',
      undefined,
      { cause: error },
    );
  }
}
