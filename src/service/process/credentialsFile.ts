import { join } from 'node:path';
import type { OwnerCredentials } from '../auth/bootstrap';
import { readJsonObject, writePrivateJson } from './privateFile';

const FILE_NAME = 'credentials.json';

/** Where the owner's key of a data directory is. */
export function credentialsPath(directory: string): string {
  return join(directory, FILE_NAME);
}

/** The credentials of an earlier start; undefined when the file is gone or is not whole. */
export async function readCredentials(directory: string): Promise<OwnerCredentials | undefined> {
  const { apiKeyId, apiKey, organizationId } =
    (await readJsonObject(credentialsPath(directory))) ?? {};
  return isText(apiKeyId) && isText(apiKey) && isText(organizationId)
    ? { apiKeyId, apiKey, organizationId }
    : undefined;
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
