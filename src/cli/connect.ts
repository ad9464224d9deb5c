import type { DisposableLike } from '../base/disposable';
import { grpcOpener } from '../core/api/openConnection';
import { toConnectionId } from '../core/model/connection';
import type { Logger } from '../core/ports';
import { FleetSession } from '../core/sessions/fleetSession';
import type { ServiceOptions } from './commandLine';
import { readCredentials } from './credentials';

/** Signs in to the service that the command line or the environment specifies. */
export type Connect = (
  given: ServiceOptions,
) => Promise<Pick<FleetSession, 'stores'> & DisposableLike>;

/**
 * Returns a function that opens sessions with the key from a credentials file or the environment.
 * Nothing is logged.
 */
export function connector(environment: NodeJS.ProcessEnv): Connect {
  const open = grpcOpener(silent, () => []);
  return async (given) => {
    const { baseUrl, keyId, key } = await readCredentials(given, environment);
    const connection = {
      id: toConnectionId(keyId),
      label: new URL(baseUrl).host,
      ...{ baseUrl, keyId },
      kind: 'cloud',
    } as const;
    return new FleetSession(connection, open, () => Promise.resolve({ id: keyId, secret: key }));
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
