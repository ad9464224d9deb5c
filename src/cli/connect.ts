import { readFile } from 'node:fs/promises';
import type { DisposableLike } from '../base/disposable';
import { grpcOpener } from '../core/api/grpcOpener';
import {
  type Connection,
  type Credentials,
  isKeyId,
  parseBaseUrl,
  parseCredentialsFile,
  toConnectionId,
} from '../core/model/connection';
import type { Logger } from '../core/ports';
import { FleetSession } from '../core/sessions/fleetSession';
import { type ServiceOptions, UsageError } from './commandLine';

/** Session of a command. */
export interface CommandSession extends Pick<FleetSession, 'stores'>, DisposableLike {
  readonly connection: Pick<Connection, 'id' | 'label'>;
  /** Returns the API key and the token, which no output can contain. */
  readonly getSecrets: () => Promise<readonly string[]>;
}

/** Signs in to the service that the command line or the environment specifies. */
export type Connect = (options: ServiceOptions & ConnectOptions) => Promise<CommandSession>;

interface ConnectOptions {
  /** True to reject all calls that could change something before they are sent. */
  readonly isReadOnly?: boolean;
}

/**
 * Returns a function that opens sessions with the key from a credentials file or the environment.
 * Nothing is logged.
 */
export function connector(environment: NodeJS.ProcessEnv): Connect {
  return async (options) => {
    const authorities = await Promise.all(options.authorityFiles.map(readAuthority));
    const open = grpcOpener(silent, () => authorities);
    const { baseUrl, keyId, key } = await readCredentials(options, environment);
    const connection = {
      id: toConnectionId(keyId),
      label: new URL(baseUrl).host,
      baseUrl,
      keyId,
      kind: 'cloud',
      ...(options.isReadOnly && { readOnly: 'required' as const }),
    } as const;
    const session = new FleetSession(connection, open, () =>
      Promise.resolve({ id: keyId, secret: key }),
    );
    return {
      stores: session.stores,
      connection,
      getSecrets: async () => [key, await session.getToken()],
      dispose: () => session.dispose(),
    };
  };
}

/** The output of a command contains only its result, so calls are not logged. */
const silent: Logger = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/**
 * Reads the command line's credentials from a credentials file or the environment.
 * @throws UsageError that names the missing credential, without repeating keys.
 */
async function readCredentials(
  options: ServiceOptions,
  environment: NodeJS.ProcessEnv,
): Promise<Credentials> {
  const { credentialsFile, allowPlainHttp } = options;
  const found =
    credentialsFile === undefined
      ? environmentCredentials(environment)
      : await fileCredentials(credentialsFile);
  const address = options.url ?? found.baseUrl;
  if (address === '') {
    throw new UsageError('the service URL is missing: pass --url, or set FLEETWRIGHT_BASE_URL');
  }
  const url = parseBaseUrl(address);
  if (!url.ok) throw new UsageError(addressProblem(address));
  if (url.keyTravelsInClear && !allowPlainHttp) {
    throw new UsageError(
      `${url.baseUrl} does not use TLS. Use https://, or pass --allow-plain-http on a trusted network`,
    );
  }
  return { ...found, baseUrl: url.baseUrl };
}

function addressProblem(address: string): string {
  // The text before the `@` can contain a password, which must not appear in logs.
  return address.includes('@')
    ? "the service URL can't contain a user name or password"
    : `"${address}" is not a valid service URL`;
}

function environmentCredentials(environment: NodeJS.ProcessEnv): Credentials {
  const keyId = environment.SVC_API_KEY_ID?.trim() ?? '';
  const key = environment.SVC_API_KEY?.trim() ?? '';
  if (keyId === '' || key === '') {
    throw new UsageError('the API key is missing: set SVC_API_KEY_ID and SVC_API_KEY');
  }
  if (!isKeyId(keyId)) throw new UsageError('SVC_API_KEY_ID is not the ID of a key. Use a UUID');
  return { baseUrl: environment.FLEETWRIGHT_BASE_URL ?? '', keyId, key };
}

async function readAuthority(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new UsageError(`cannot read the certificate authority from ${path}`, { cause });
  }
}

async function fileCredentials(path: string): Promise<Credentials> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageError(`cannot read credentials from ${path}`, { cause: error });
  });
  const found = parseCredentialsFile(text);
  if (!found) throw new UsageError(`${path} is not a credentials file of a fleet service`);
  return found;
}
