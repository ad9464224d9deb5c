import { parseArgs, type ParseArgsConfig } from 'node:util';
import { join, resolve } from 'node:path';
import { ConnectError } from '@connectrpc/connect';
import { CommandError, usageError } from '../files/commandError';
import type { Logger } from '../../base/logger';
import {
  commandSecretsKeys,
  environmentSecretsKeys,
  SecretsKeyFile,
  type SecretsKeySource,
} from '../secrets/secretsKeySource';
import { type ObjectBucket, type ObjectsLocation, parseObjectsUrl } from '../objects/objectBucket';
import { openObjectBucket } from '../objects/openObjectBucket';
import { SECRETS_KEY_FILE } from '../files/dataDirectoryLayout';

/**
 * Parses arguments with Node.js's parser.
 * @throws CommandError (usage) that names the invalid argument.
 */
export function parseOptions<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // Remove the advice about arguments that start with a dash, which Node.js appends.
    const [sentence = ''] = (error as Error).message.split('. ', 1);
    throw usageError(sentence.charAt(0).toLowerCase() + sentence.slice(1));
  }
}

const DATABASE_URL = /^postgres(ql)?:\/\//i;

/**
 * Reads the database URL from the option or the environment.
 * @throws CommandError (usage) if it isn't a PostgreSQL URL.
 */
export function readDatabaseUrl(
  option: string | undefined,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const databaseUrl = option ?? (environment.FLEETWRIGHT_DATABASE_URL || undefined);
  if (databaseUrl !== undefined && !DATABASE_URL.test(databaseUrl)) {
    // The input can contain a password, so the error doesn't quote it.
    throw usageError('--database-url must be postgres://user:password@host:port/database');
  }
  return databaseUrl;
}

/** @throws CommandError (usage) if it isn't the URL of a bucket. */
export function readObjectsUrl(url: string): ObjectsLocation {
  const location = parseObjectsUrl(url);
  if (typeof location === 'string') throw usageError(`--objects ${location}`);
  return location;
}

/**
 * Opens a bucket for a command.
 * @throws CommandError if it can't be used.
 */
export async function openCommandBucket(location: ObjectsLocation): Promise<ObjectBucket> {
  const bucket = await openObjectBucket(location);
  try {
    await bucket.check();
    return bucket;
  } catch (error) {
    bucket.close();
    const message = error instanceof ConnectError ? error.rawMessage : String(error);
    throw new CommandError(message, undefined, { cause: error });
  }
}

/** Source of the secrets key; by default, a file in the data directory. */
export type SecretsKeyOption =
  | { kind: 'default' }
  | { kind: 'file'; path: string }
  | { kind: 'command'; program: string }
  | { kind: 'environment'; text: string };

/** Options for all commands that read the secrets key. */
export const SECRETS_KEY_OPTIONS = {
  'secrets-key-file': { type: 'string' },
  'secrets-key-command': { type: 'string' },
} as const;

export const SECRETS_KEY_HELP = `  --secrets-key-file FILE        file with the key (default: ${SECRETS_KEY_FILE} in the data directory)
  --secrets-key-command PROGRAM  a program without arguments that prints the key, for example one that
                                 reads it from a vault. FLEETWRIGHT_SECRETS_KEY holds the key itself
`;

/**
 * Parses the source of the secrets key.
 * @throws CommandError (usage) if more than one source is specified.
 */
export function readSecretsKeyOption(
  values: {
    'secrets-key-file'?: string | undefined;
    'secrets-key-command'?: string | undefined;
  },
  environment: NodeJS.ProcessEnv,
): SecretsKeyOption {
  const path = values['secrets-key-file'];
  const program = values['secrets-key-command'];
  if (path === '') throw usageError('--secrets-key-file must not be empty');
  if (program === '') throw usageError('--secrets-key-command must not be empty');
  if (path !== undefined && program !== undefined) {
    throw usageError("--secrets-key-file and --secrets-key-command can't be combined");
  }
  if (path !== undefined) return { kind: 'file', path };
  if (program !== undefined) return { kind: 'command', program };
  const text = environment.FLEETWRIGHT_SECRETS_KEY;
  return text ? { kind: 'environment', text } : { kind: 'default' };
}

/** Returns the key source that an option specifies for a data directory. */
export function openSecretsKey(
  option: SecretsKeyOption,
  dataDirectory: string,
  logger: Logger,
): SecretsKeySource {
  switch (option.kind) {
    case 'default':
      return new SecretsKeyFile(join(dataDirectory, SECRETS_KEY_FILE), logger);
    case 'file':
      return new SecretsKeyFile(resolve(option.path), logger);
    case 'command':
      return commandSecretsKeys(option.program);
    case 'environment':
      return environmentSecretsKeys(option.text);
  }
}
