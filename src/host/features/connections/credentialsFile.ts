import * as vscode from 'vscode';
import { readFile } from 'node:fs/promises';
import type { OpenTransport } from '../../../core/api/connectionTransport';
import { FleetError } from '../../../core/api/errors';
import {
  type Connection,
  type Credentials,
  parseBaseUrl,
  parseCredentialsFile,
  toConnectionId,
} from '../../../core/model/connection';
import type { ConnectionStore } from '../../../core/sessions/connectionStore';
import { connectionLabel, verifyCredentials } from '../../../core/sessions/fleetSession';

/**
 * Environment variable that contains the path of a credentials file for signing in, such as the
 * file that the fleet service writes.
 */
export const CREDENTIALS_FILE_VARIABLE = 'FLEETWRIGHT_CREDENTIALS_FILE';

/**
 * Signs in with a credentials file. If a connection for this key and URL already exists, leaves it
 * unchanged and returns undefined. Throws `invalid` if the file isn't a valid credentials file, and
 * errors from the service.
 */
export async function signInFromFile(
  path: string,
  store: ConnectionStore,
  open: OpenTransport,
): Promise<Connection | undefined> {
  const credentials = await readCredentials(path);
  const known = store.connection(toConnectionId(credentials.keyId));
  if (known?.baseUrl === credentials.baseUrl && store.active) return undefined;
  const organizations = await verifyCredentials(credentials, open);
  const label = connectionLabel(credentials.baseUrl, organizations);
  return store.signIn({ ...credentials, label, kind: 'cloud' });
}

async function readCredentials(path: string): Promise<Credentials> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw invalidFile(path, cause);
  });
  const credentials = parseCredentialsFile(text);
  if (!credentials) throw invalidFile(path, undefined);
  const parsed = parseBaseUrl(credentials.baseUrl);
  if (!parsed.ok) throw invalidFile(path, undefined);
  return { ...credentials, baseUrl: parsed.baseUrl };
}

function invalidFile(path: string, cause: unknown): FleetError {
  const message = vscode.l10n.t(
    'Couldn\'t read credentials from "{0}". Correct the path in the environment variable {1}, or sign in with an API key.',
    path,
    CREDENTIALS_FILE_VARIABLE,
  );
  return new FleetError('invalid', message, { cause });
}
