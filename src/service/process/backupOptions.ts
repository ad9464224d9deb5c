import type { ObjectsLocation } from '../objects/objectBucket';
import { usageError } from '../files/commandError';
import { SECRETS_KEY_FILE } from '../files/dataDirectoryLayout';
import {
  parseOptions,
  readDatabaseUrl,
  readObjectsUrl,
  readSecretsKeyOption,
  SECRETS_KEY_HELP,
  SECRETS_KEY_OPTIONS,
  type SecretsKeyOption,
} from './commandOptions';

export interface BackupCommand {
  kind: 'backup';
  /** Data directory; if absent, the platform's default. */
  dataDirectory: string | undefined;
  databaseUrl: string | undefined;
  /** Folder to write the backup to. */
  target: string;
  secretsKey: SecretsKeyOption;
  /** True if the backup includes the secrets key. */
  includesSecretsKey: boolean;
}

export interface RestoreCommand {
  kind: 'restore';
  /** Folder that contains the backup. */
  backup: string;
  /** Data directory; if absent, the platform's default. */
  dataDirectory: string | undefined;
  databaseUrl: string | undefined;
  secretsKey: SecretsKeyOption;
}

export interface RotateSecretsKeyCommand {
  kind: 'rotate-secrets-key';
  /** True to replace every secret with a new one, because the secrets key was lost. */
  replacesSecrets: boolean;
  /** Data directory; if absent, the platform's default. */
  dataDirectory: string | undefined;
  databaseUrl: string | undefined;
  secretsKey: SecretsKeyOption;
}

export const BACKUP_HELP = `Usage: service backup --to FOLDER [options]

Copies a fleet to a new folder: a consistent snapshot of the database, and all captured data and packages
that it refers to. The service can keep running. All files are verified by SHA-256 before the folder gets
its final name. If no complete backup can be made, the command explains why and exits with 1. Contents in a
bucket (service serve --objects) are not copied: back up the bucket by its own means, such as versioning.

  --to FOLDER         the folder to create; it must not exist yet
  --data DIR          data directory of the service (default: the platform's data directory)
  --database-url URL  postgres://…, where the fleet is stored (or set FLEETWRIGHT_DATABASE_URL)

The secrets of locations and parts are encrypted, in backups too, with a key that is not in the database.
Keep a copy of the key elsewhere. Without it, machines need new secrets.
  --include-secrets-key          include the key in the backup; anyone who reads the backup can then read the secrets
${SECRETS_KEY_HELP}
  --help
`;

export const RESTORE_HELP = `Usage: service restore --from FOLDER [options]

Restores a backup into an empty data directory and verifies all files by SHA-256. With --database-url, the
fleet is restored into an empty PostgreSQL database, even if the backup is from SQLite.

  --from FOLDER       the folder that service backup created
  --data DIR          data directory to restore to; must be empty or not exist (default: the platform's
                      data directory)
  --database-url URL  postgres://…, an empty database (or set FLEETWRIGHT_DATABASE_URL)

If the secrets key is given, the command checks that it is the right one.
${SECRETS_KEY_HELP}
  --help
`;

export const ROTATE_SECRETS_KEY_HELP = `Usage: service rotate-secrets-key [options]

Creates a new key, encrypts all secrets of locations and parts with it, and replaces the old key in the
file. First stop all services that use the database. If the command is interrupted, run it again.

  --data DIR               data directory of the service (default: the platform's data directory)
  --database-url URL       postgres://…, where the fleet is stored (or set FLEETWRIGHT_DATABASE_URL)
  --secrets-key-file FILE  file with the key (default: ${SECRETS_KEY_FILE} in the data directory)
  --replace-secrets        if the key is lost: create a new key and new secrets. Machines need the new
                           secrets, and all users must sign in again
  --help
`;

export interface VerifyCommand {
  kind: 'verify';
  /** Data directory; if absent, the platform's default. */
  dataDirectory: string | undefined;
  databaseUrl: string | undefined;
  /** Bucket with the contents; if absent, the recorded one. */
  objects: ObjectsLocation | undefined;
  /** True to compare only sizes, without reading the contents. */
  comparesOnlySizes: boolean;
}

export const VERIFY_HELP = `Usage: service verify [options]

Compares the records of a fleet with its images, files, and packages, in the data directory or in a bucket,
and prints each content that is missing, damaged, or orphaned (stored without a record). Reads all contents
unless --sizes is given. Changes nothing, and the service can keep running. Exits with 1 if it finds problems.

  --data DIR          data directory of the service (default: the platform's data directory)
  --database-url URL  postgres://…, where the fleet is stored (or set FLEETWRIGHT_DATABASE_URL)
  --objects s3://…    bucket with the contents (default: the one that the service used last)
  --sizes             compare only sizes, which is faster and cheaper
  --help
`;

const OPTIONS = {
  ...SECRETS_KEY_OPTIONS,
  data: { type: 'string' },
  'database-url': { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/**
 * Parses the arguments of `backup`; undefined if help is requested.
 * @throws CommandError (usage) that names the invalid argument.
 */
export function parseBackup(
  args: string[],
  environment: NodeJS.ProcessEnv,
): BackupCommand | undefined {
  const options = {
    ...OPTIONS,
    to: { type: 'string' },
    'include-secrets-key': { type: 'boolean', default: false },
  } as const;
  const { values } = parseOptions({ args, options, allowPositionals: false });
  if (values.help) return undefined;
  return {
    kind: 'backup',
    target: requireFolder('--to', values.to),
    includesSecretsKey: values['include-secrets-key'],
    ...readStore(values, environment),
  };
}

/**
 * Parses the arguments of `restore`; undefined if help is requested.
 * @throws CommandError (usage) that names the invalid argument.
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

/**
 * Parses the arguments of `rotate-secrets-key`; undefined if help is requested.
 * @throws CommandError (usage) that names the invalid argument.
 */
export function parseRotateSecretsKey(
  args: string[],
  environment: NodeJS.ProcessEnv,
): RotateSecretsKeyCommand | undefined {
  const options = { ...OPTIONS, 'replace-secrets': { type: 'boolean', default: false } } as const;
  const { values } = parseOptions({ args, options, allowPositionals: false });
  if (values.help) return undefined;
  return {
    kind: 'rotate-secrets-key',
    replacesSecrets: values['replace-secrets'],
    ...readStore(values, environment),
  };
}

/**
 * Parses the arguments of `verify`; undefined if help is requested.
 * @throws CommandError (usage) that names the invalid argument.
 */
export function parseVerify(
  args: string[],
  environment: NodeJS.ProcessEnv,
): VerifyCommand | undefined {
  const options = {
    data: OPTIONS.data,
    'database-url': OPTIONS['database-url'],
    help: OPTIONS.help,
    objects: { type: 'string' },
    sizes: { type: 'boolean', default: false },
  } as const;
  const { values } = parseOptions({ args, options, allowPositionals: false });
  if (values.help) return undefined;
  const { dataDirectory, databaseUrl } = readStore(values, environment);
  return {
    kind: 'verify',
    dataDirectory,
    databaseUrl,
    objects: values.objects === undefined ? undefined : readObjectsUrl(values.objects),
    comparesOnlySizes: values.sizes,
  };
}

function requireFolder(option: string, value: string | undefined): string {
  if (value === undefined || value === '') throw usageError(`${option} FOLDER is missing`);
  return value;
}

function readStore(
  values: {
    data?: string | undefined;
    'database-url'?: string | undefined;
    'secrets-key-file'?: string | undefined;
    'secrets-key-command'?: string | undefined;
  },
  environment: NodeJS.ProcessEnv,
): Omit<RotateSecretsKeyCommand, 'kind' | 'replacesSecrets'> {
  if (values.data === '') throw usageError('--data must not be empty');
  return {
    dataDirectory: values.data,
    databaseUrl: readDatabaseUrl(values['database-url'], environment),
    secretsKey: readSecretsKeyOption(values, environment),
  };
}
