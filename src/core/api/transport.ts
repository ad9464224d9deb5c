import { createClient, type Interceptor, type Transport } from '@connectrpc/connect';
import { englishLocalizer, type Localizer } from '../../base/localizer';
import type { Clock, Logger, Sleep } from '../ports';
import type { ReadApiKey } from './apiKey';
import { Authenticator } from './authenticator';
import { toCallError } from './connectErrorToFleetError';
import { fleetErrorTransport } from './fleetErrorTransport';
import { authenticateInterceptor } from './interceptors/authenticate';
import { ResponseWatch } from './responseWatch';
import { deadlineInterceptor } from './interceptors/deadline';
import { logInterceptor } from './interceptors/log';
import { retryInterceptor } from './interceptors/retry';

const DEADLINE_MS = 30_000;
const RETRY_ATTEMPTS = 4;
const RETRY_FIRST_WAIT_MS = 200;
const MAX_RETRY_WAIT_MS = 2_000;

export interface TransportOptions {
  /** URL of the service, used only in messages and for diagnosis. */
  readonly baseUrl: string;
  /**
   * Opens the underlying transport with interceptors: `openGrpcWire`, or a router transport in
   * tests.
   */
  readonly openWire: (interceptors: Interceptor[]) => Transport;
  readonly readKey: ReadApiKey;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly random: () => number;
  /** Timer for the watchdog that detects a silent service; absent to run without a watchdog. */
  readonly watchSleep?: Sleep | undefined;
  /** The language of messages, English by default. */
  readonly l10n?: Localizer | undefined;
}

export interface FleetTransport {
  readonly transport: Transport;
  /** Returns the token. Exchanges the key for a token if there is none yet. Throws `FleetError`. */
  readonly getToken: () => Promise<string>;
  /** Clears the token because its key has changed. The next call exchanges the new key. */
  readonly forgetToken: () => void;
  /** Clears a token that the service rejected, unless it was already replaced. */
  readonly invalidateToken: (token: string) => void;
  /** Watchdog that detects that the service doesn't respond; undefined if there is none. */
  readonly responses: ResponseWatch | undefined;
}

/**
 * Creates the transport of a connection, with authentication, deadlines, and retries. The transport
 * throws `FleetError`.
 */
export function createFleetTransport(options: TransportOptions): FleetTransport {
  const { baseUrl, l10n = englishLocalizer } = options;
  const log = logInterceptor(options.logger, options.clock);
  const deadline = deadlineInterceptor(DEADLINE_MS);
  const authenticator = new Authenticator(options.openWire([log, deadline]), options.readKey, l10n);
  const retry = retryInterceptor({
    attempts: RETRY_ATTEMPTS,
    firstWaitMs: RETRY_FIRST_WAIT_MS,
    longestWaitMs: MAX_RETRY_WAIT_MS,
    sleep: options.sleep,
    random: options.random,
  });
  const responses = watchResponses(options);
  const next = responses ? [responses.interceptor] : [];
  // The first interceptor is outermost, so a token is renewed once per call, and each retry has its
  // own deadline.
  const wire = options.openWire([
    ...[log, authenticateInterceptor(authenticator), retry, deadline],
    ...next,
  ]);
  return {
    responses,
    transport: fleetErrorTransport(wire, baseUrl, l10n),
    forgetToken: () => authenticator.forget(),
    invalidateToken: (token) => authenticator.invalidate(token),
    getToken: async () => {
      try {
        return await authenticator.getToken();
      } catch (error) {
        throw toCallError(error, { method: 'Authenticate', baseUrl, aborted: false, l10n });
      }
    },
  };
}

function watchResponses({
  openWire,
  baseUrl,
  watchSleep,
  logger,
}: TransportOptions): ResponseWatch | undefined {
  if (!watchSleep) return undefined;
  const wire = fleetErrorTransport(openWire([]), baseUrl);
  const responses = new ResponseWatch({
    sleep: watchSleep,
    // Without a token, the service rejects the call, which counts as a response.
    probe: async (signal) => {
      const { AppService } = await import('../../gen/viam/app/v1/app_pb');
      await createClient(AppService, wire).listOrganizations({}, { signal });
    },
  });
  responses.onDidChange(({ kind }) => logger.info('The service changed its response.', { kind }));
  return responses;
}
