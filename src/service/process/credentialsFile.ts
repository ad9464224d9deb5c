import { join } from 'node:path';
import type { OwnerCredentials } from '../auth/bootstrap';
import { CommandError } from './commandError';
import { CREDENTIALS_FILE } from './dataDirectoryLayout';
import { readJsonObject, writePrivateJson } from './privateFile';

/** Where a service is, and its owner's key. */
export interface FleetCredentials extends OwnerCredentials {
  url: string;
}

/** Where the owner's key of a data directory is. */
export function credentialsPath(directory: string): string {
  return join(directory, CREDENTIALS_FILE);
}

/** The credentials of an earlier start; undefined when the file is gone or is not whole. */
export async function readCredentials(directory: string): Promise<OwnerCredentials | undefined> {
  const { apiKeyId, apiKey, organizationId } =
    (await readJsonObject(credentialsPath(directory))) ?? {};
  return isText(apiKeyId) && isText(apiKey) && isText(organizationId)
    ? { apiKeyId, apiKey, organizationId }
    : undefined;
}

/**
 * What the credentials file of a service says to its clients.
 * @throws CommandError when it cannot be read, or is no such file.
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
  if (fields === undefined) {
    throw unread();
  }
  const { url, apiKeyId, apiKey, organizationId } = fields;
  if (!isText(url) || !isText(apiKeyId) || !isText(apiKey) || !isText(organizationId)) {
    throw new CommandError(`${path} is not a credentials file of a fleet service`);
  }
  return { url, apiKeyId, apiKey, organizationId };
}

/** Writes the file that clients on this machine sign in with, readable for its owner only. */
export async function writeCredentials(
  directory: string,
  url: string,
  { apiKeyId, apiKey, organizationId }: OwnerCredentials,
): Promise<void> {
  await writePrivateJson(credentialsPath(directory), { url, apiKeyId, apiKey, organizationId });
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
