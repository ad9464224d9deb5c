import { Code, ConnectError } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { simulateFleet } from '../../simulate/machines/simulateFleet';
import type { OpenTransport } from '../../simulate/fleet/signedInTransport';
import { CommandError } from './commandError';
import { credentialsPath, readFleetCredentials } from './credentialsFile';
import { defaultDataDirectory } from './dataDirectory';
import type { SimulateCommand } from './simulateOptions';
import { StopRequest } from './stopRequest';

/**
 * Runs simulated machines until the process receives a signal or the specified time has passed.
 * @param say prints a status message.
 * @throws CommandError for problems that the user can fix.
 */
export async function simulate(
  command: SimulateCommand,
  say: (sentence: string) => void,
): Promise<void> {
  const { pace, machines, seed, seconds } = command;
  const credentials = await readFleetCredentials(
    command.credentialsFile ??
      credentialsPath(command.dataDirectory ?? defaultDataDirectory(process.platform, process.env)),
  );
  const url = command.url ?? credentials.url;
  const sessionManager = new Http2SessionManager(url);
  const open: OpenTransport = (interceptors) =>
    createGrpcTransport({ baseUrl: url, sessionManager, interceptors });
  const stopped = new AbortController();
  const stop = new StopRequest();
  void stop.reason.then(() => {
    stopped.abort();
  });
  const timer =
    seconds === undefined
      ? undefined
      : setTimeout(() => {
          stopped.abort();
        }, seconds * 1000);
  say(`simulating up to ${String(machines)} machines at ${url}; press Ctrl+C to stop`);
  try {
    await simulateFleet({
      ...{ open, pace, machines, seed, report: say, signal: stopped.signal },
      key: { id: credentials.apiKeyId, key: credentials.apiKey },
      organizationId: credentials.organizationId,
    });
  } catch (error) {
    if (!stopped.signal.aborted) {
      throw toCommandError(error, url);
    }
  } finally {
    clearTimeout(timer);
    sessionManager.abort();
  }
}

function toCommandError(error: unknown, url: string): unknown {
  if (error instanceof ConnectError) {
    const { code, rawMessage } = error;
    return new CommandError(
      `${url} rejected the machines (${Code[code]}: ${rawMessage}); check that the service is running ` +
        'and that the key is of an owner',
      undefined,
      { cause: error },
    );
  }
  return error instanceof Error ? new CommandError(error.message) : error;
}
