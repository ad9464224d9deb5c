import { join, resolve } from 'node:path';
import type { Logger } from '../../base/logger';
import {
  commandSecretsKeys,
  environmentSecretsKeys,
  SecretsKeyFile,
  type SecretsKeySource,
} from '../secrets/secretsKeySource';
import { usageError } from './commandError';
import { SECRETS_KEY_FILE } from './dataDirectoryLayout';

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
