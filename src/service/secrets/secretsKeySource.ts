import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { getErrorCode } from '../../base/errorCode';
import type { Logger } from '../../base/logger';
import { syncDirectory } from '../files/durableFiles';
import { createPrivateFile, writePrivateFile } from '../files/privateFile';
import { newSecretsKey } from '../store/secrets';

/**
 * Error for a store's secrets key that is missing, incorrect, or unreadable. The message explains
 * what to do.
 */
export class SecretsKeyError extends Error {
  override readonly name = 'SecretsKeyError';
}

/** Encryption key, followed by earlier keys that are used only for decryption. */
export type SecretsKeys = readonly [Uint8Array, ...Uint8Array[]];

/** Source of the keys for a store's secrets. The store itself never contains the keys. */
export interface SecretsKeySource {
  /** Description for messages, such as `the file /…/secrets.key`. */
  readonly description: string;
  /**
   * Reads the keys. Returns undefined if there are no keys yet and `create` can create them.
   * @throws SecretsKeyError if the keys can't be read.
   */
  read(): Promise<SecretsKeys | undefined>;
  /** Creates the first key and stores it durably. */
  create(): Promise<SecretsKeys>;
}

const KEY_TEXT = /^[\w+/-]{43}=?$/;
const OTHER_USERS = 0o077;
const COMMAND_TIMEOUT_MS = 30_000;
const COMMAND_BYTES = 64 * 1024;

/** Returns a source with a key that exists only in this process. Used for in-memory stores. */
export function memorySecretsKey(): SecretsKeySource {
  const keys: SecretsKeys = [newSecretsKey()];
  return {
    description: 'memory',
    read: () => Promise.resolve(keys),
    create: () => Promise.resolve(keys),
  };
}

/** Keys in a file with one base64 line per key. The encryption key is first. */
export class SecretsKeyFile implements SecretsKeySource {
  readonly description: string;

  constructor(
    readonly path: string,
    private readonly logger: Logger,
  ) {
    this.description = `the file ${path}`;
  }

  async read(): Promise<SecretsKeys | undefined> {
    try {
      const text = await readFile(this.path, 'utf8');
      if (text === '') {
        throw new SecretsKeyError(
          `${this.description} is empty: put a copy of the key there, or delete the file if no service has ` +
            'used a key yet',
        );
      }
      const { mode } = await stat(this.path);
      if (process.platform !== 'win32' && (mode & OTHER_USERS) !== 0) {
        this.logger.warn('other users can read the secrets key: remove that permission', {
          file: this.path,
        });
      }
      return parseSecretsKeys(text, this.description);
    } catch (error) {
      if (error instanceof SecretsKeyError) throw error;
      if (getErrorCode(error) === 'ENOENT') return undefined;
      throw new SecretsKeyError(`${this.description} can't be read: ${String(error)}`, {
        cause: error,
      });
    }
  }

  async create(): Promise<SecretsKeys> {
    const keys: SecretsKeys = [newSecretsKey()];
    try {
      // If another process has already created a key, that key is used.
      await createPrivateFile(this.path, formatSecretsKeys(keys));
    } catch (error) {
      throw new SecretsKeyError(`${this.description} can't be written: ${String(error)}`, {
        cause: error,
      });
    }
    await syncDirectory(dirname(this.path));
    return keys;
  }

  /** Replaces the keys atomically and durably. */
  async write(keys: SecretsKeys): Promise<void> {
    await writePrivateFile(this.path, formatSecretsKeys(keys));
    await syncDirectory(dirname(this.path));
  }
}

/** Returns a source for keys in the service's environment. */
export function environmentSecretsKeys(text: string): SecretsKeySource {
  const description = 'FLEETWRIGHT_SECRETS_KEY';
  return readOnlySource(description, () => Promise.resolve(text));
}

/**
 * Returns a source for keys that a program prints, for example from a vault. The program runs
 * without a shell.
 */
export function commandSecretsKeys(program: string): SecretsKeySource {
  return readOnlySource(`the output of ${program}`, async () => {
    try {
      const options = { timeout: COMMAND_TIMEOUT_MS, maxBuffer: COMMAND_BYTES };
      return (await promisify(execFile)(program, [], options)).stdout;
    } catch (error) {
      // The original error is omitted, because it might contain the program's output.
      const { code } = error as { code?: string | number | null };
      const reason = code ?? 'it took too long';
      throw new SecretsKeyError(
        `${program} didn't print the secrets key (${reason}): run it by hand to see why`,
      );
    }
  });
}

function readOnlySource(description: string, readText: () => Promise<string>): SecretsKeySource {
  const read = async (): Promise<SecretsKeys> => parseSecretsKeys(await readText(), description);
  return { description, read, create: read };
}

/** @throws SecretsKeyError with a message that doesn't contain the keys. */
function parseSecretsKeys(text: string, description: string): SecretsKeys {
  const tokens = text.split(/[\s,]+/).filter((word) => word !== '');
  const [first, ...rest] = tokens.map((word) => Buffer.from(word, 'base64'));
  if (first === undefined || !tokens.every((word) => KEY_TEXT.test(word))) {
    throw new SecretsKeyError(
      `${description} doesn't contain a secrets key: use 32 random bytes in base64, for example from ` +
        'openssl rand -base64 32',
    );
  }
  return [first, ...rest];
}

function formatSecretsKeys(keys: SecretsKeys): string {
  return keys.map((key) => `${Buffer.from(key).toString('base64')}\n`).join('');
}
