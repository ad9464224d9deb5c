import { usageError } from './commandError';
import { readDatabaseUrl } from './databaseOptions';
import { parseOptions } from './parseOptions';

export interface BackupCommand {
  kind: 'backup';
  /** Absent, the platform's default. */
  dataDirectory: string | undefined;
  databaseUrl: string | undefined;
  /** The folder to write. */
  target: string;
}

export interface RestoreCommand {
  kind: 'restore';
  /** The folder that a backup has written. */
  backup: string;
  /** Absent, the platform's default. */
  dataDirectory: string | undefined;
  databaseUrl: string | undefined;
}

export const BACKUP_HELP = `Usage: service backup --to FOLDER [options]

Copies a fleet into a new folder: the database as it is at one moment, and every content of captured
data and packages that it refers to. The service may run meanwhile. Everything is checked by its SHA-256
before the folder gets its name. It ends with 1, and says why, when no complete backup could be made.

  --to FOLDER         the folder to write; there must be none yet
  --data DIR          data directory of the service (default: the platform's place)
  --database-url URL  postgres://…, where the fleet is kept; FLEETWRIGHT_DATABASE_URL does the same
  --help
`;

export const RESTORE_HELP = `Usage: service restore --from FOLDER [options]

Fills an empty data directory from a backup, and checks everything by its SHA-256. With --database-url the
fleet goes to an empty database of PostgreSQL, also when the backup is of a fleet that was in SQLite.

  --from FOLDER       the folder that service backup has written
  --data DIR          data directory to fill; empty or not there yet (default: the platform's place)
  --database-url URL  postgres://…, an empty database; FLEETWRIGHT_DATABASE_URL does the same
  --help
`;

const OPTIONS = {
  data: { type: 'string' },
  'database-url': { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/**
 * Reads what follows `backup`; undefined when help is requested.
 * @throws CommandError (usage) that names the argument at fault.
 */
export function parseBackup(
  args: string[],
  environment: NodeJS.ProcessEnv,
): BackupCommand | undefined {
  const options = { ...OPTIONS, to: { type: 'string' } } as const;
  const { values } = parseOptions({ args, options, allowPositionals: false });
  if (values.help) return undefined;
  return {
    kind: 'backup',
    target: requireFolder('--to', values.to),
    ...readStore(values, environment),
  };
}

/**
 * Reads what follows `restore`; undefined when help is requested.
 * @throws CommandError (usage) that names the argument at fault.
 */
export function parseRestore(
  args: string[],
  environment: NodeJS.ProcessEnv,
): RestoreCommand | undefined {
  const options = { ...OPTIONS, from: { type: 'string' } } as const;
  const { values } = parseOptions({ args, options, allowPositionals: false });
  if (values.help) return undefined;
  return {
    kind: 'restore',
    backup: requireFolder('--from', values.from),
    ...readStore(values, environment),
  };
}

function requireFolder(option: string, value: string | undefined): string {
  if (value === undefined || value === '') {
    throw usageError(`${option} FOLDER is missing`);
  }
  return value;
}

function readStore(
  values: { data?: string | undefined; 'database-url'?: string | undefined },
  environment: NodeJS.ProcessEnv,
): { dataDirectory: string | undefined; databaseUrl: string | undefined } {
  if (values.data === '') {
    throw usageError('--data must not be empty');
  }
  return {
    dataDirectory: values.data,
    databaseUrl: readDatabaseUrl(values['database-url'], environment),
  };
}
