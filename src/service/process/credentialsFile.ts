import { join } from 'node:path';
import type { OwnerCredentials } from '../auth/bootstrap';
import { CommandError } from '../files/commandError';
import { CREDENTIALS_FILE } from '../files/dataDirectoryLayout';
import { readJsonObject, writePrivateJson } from '../files/privateFile';
import type { Logger } from '../../base/logger';

/** A service's URL and its owner's key. */
export interface FleetCredentials extends OwnerCredentials {
  url: string;
}

/** Returns the path of the data directory's file that contains the owner's key. */
export function credentialsPath(directory: string): string {
  return join(directory, CREDENTIALS_FILE);
}

/**
 * Returns the credentials from an earlier start; undefined if the file is missing or incomplete.
 */
async function readCredentials(directory: string): Promise<OwnerCredentials | undefined> {
  const { apiKeyId, apiKey, organizationId } =
    (await readJsonObject(credentialsPath(directory))) ?? {};
  return isNonEmptyString(apiKeyId) && isNonEmptyString(apiKey) && isNonEmptyString(organizationId)
    ? { apiKeyId, apiKey, organizationId }
    : undefined;
}

/**
 * Returns the contents of a service's credentials file, for use by clients.
 * @throws CommandError if the file can't be read or isn't a credentials file.
 */
export async function readFleetCredentials(path: string): Promise<FleetCredentials> {
  const unread = (cause?: unknown): CommandError =>
    new CommandError(
      `can't read credentials from ${path}; start the service, or specify its credentials file ` +
        'with --credentials FILE',
      undefined,
      { cause },
    );
  const fields = await readJsonObject(path).catch((error: unknown) => {
    throw unread(error);
  });
  if (fields === undefined) throw unread();
  const { url, apiKeyId, apiKey, organizationId } = fields;
  if (
    !isNonEmptyString(url) ||
    !isNonEmptyString(apiKeyId) ||
    !isNonEmptyString(apiKey) ||
    !isNonEmptyString(organizationId)
  ) {
    throw new CommandError(`${path} is not a credentials file of a fleet service`);
  }
  return { url, apiKeyId, apiKey, organizationId };
}

/**
 * Writes the file that clients on this computer use to sign in. Only the file's owner can read it.
 */
async function writeCredentials(
  directory: string,
  url: string,
  { apiKeyId, apiKey, organizationId }: OwnerCredentials,
): Promise<void> {
  await writePrivateJson(credentialsPath(directory), { url, apiKeyId, apiKey, organizationId });
}

function isNonEmptyString(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/**
 * Credentials file for a running service. The file is updated when the owner's key is rotated.
 * Every reader therefore gets a valid key, and the next start doesn't have to create another key.
 */
export class SavedCredentials {
  private written: { readonly url: string; readonly owner: OwnerCredentials } | undefined;
  /** Writes are serialized, so the last one wins. */
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly directory: string,
    private readonly logger: Logger,
  ) {}

  /**
   * Returns the credentials from an earlier start; undefined if the file is missing or incomplete.
   */
  read(): Promise<OwnerCredentials | undefined> {
    return readCredentials(this.directory);
  }

  async write(url: string, owner: OwnerCredentials): Promise<void> {
    this.written = { url, owner };
    await writeCredentials(this.directory, url, owner);
  }

  /** Saves the new secret in the file if it belongs to the owner's key. Ignores other keys. */
  readonly keyRotated = async ({ id, key }: { id: string; key: string }): Promise<void> => {
    if (this.written?.owner.apiKeyId !== id) return;
    const { url, owner } = this.written;
    this.written = { url, owner: { ...owner, apiKey: key } };
    this.writing = this.writing.then(() => this.rewrite());
    await this.writing;
  };

  private async rewrite(): Promise<void> {
    if (this.written === undefined) return;
    const { url, owner } = this.written;
    try {
      await writeCredentials(this.directory, url, owner);
    } catch (error) {
      // The rotation is complete despite the error. The caller has the new key, and the next start
      // creates another one.
      this.logger.error("the credentials file doesn't contain the new key of the owner", {
        error: String(error),
      });
    }
  }
}
