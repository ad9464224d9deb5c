import {
  Code,
  ConnectError,
  createClient,
  type Interceptor,
  type Transport,
} from '@connectrpc/connect';
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt';
import { getErrorCode } from '../../base/errorCode';
import { englishLocalizer, type Localizer } from '../../base/localizer';
import type { Clock, Logger, Sleep } from '../ports';
import type { ReadApiKey } from '../model/connection';
import { Authenticator } from './authenticator';
import { getRequestId, toCallError } from './failedCall';
import { ResponseWatch } from './responseWatch';

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
  /** Translates messages; English by default. */
  readonly l10n?: Localizer | undefined;
}

export interface InterceptedTransport {
  /** Throws `ConnectError`; `ConnectionTransport` converts it. */
  readonly transport: Transport;
  /** Returns the token. Exchanges the key for a token if there is none yet. Throws `FleetError`. */
  readonly getToken: () => Promise<string>;
  /** Clears the token because its key has changed. The next call exchanges the new key. */
  readonly clearToken: () => void;
  /** Clears a token that the service rejected, unless it was already replaced. */
  readonly invalidateToken: (token: string) => void;
  /** Watchdog that detects that the service doesn't respond; undefined if there is none. */
  readonly responses: ResponseWatch | undefined;
}

/** Adds a connection's interceptors to a wire: log, token, retries, deadline, and watchdog. */
export function createInterceptedTransport(options: TransportOptions): InterceptedTransport {
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
  const transport = options.openWire([
    ...[log, authenticateInterceptor(authenticator), retry, deadline],
    ...next,
  ]);
  return {
    responses,
    transport,
    clearToken: () => authenticator.clear(),
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
  l10n = englishLocalizer,
}: TransportOptions): ResponseWatch | undefined {
  if (!watchSleep) return undefined;
  const wire = openWire([]);
  const responses = new ResponseWatch({
    sleep: watchSleep,
    // The probe has no token, so the service rejects it, which counts as a response.
    probe: async (signal) => {
      const { AppService } = await import('../../gen/viam/app/v1/app_pb');
      const method = AppService.method.listOrganizations.name;
      try {
        await createClient(AppService, wire).listOrganizations({}, { signal });
      } catch (error) {
        throw toCallError(error, { method, baseUrl, aborted: signal.aborted, l10n });
      }
    },
  });
  responses.onDidChange(({ kind }) => logger.info('The service changed its response.', { kind }));
  return responses;
}

/**
 * Logs the method, outcome, and duration of each call. Never logs headers or bodies, because they
 * contain keys.
 */
function logInterceptor(logger: Logger, clock: Clock): Interceptor {
  return (next) => async (request) => {
    const method = `${request.service.name}/${request.method.name}`;
    const start = clock.now().getTime();
    const elapsed = (): number => clock.now().getTime() - start;
    try {
      const response = await next(request);
      logger.debug(method, { ms: elapsed() });
      return response;
    } catch (error) {
      const requestId = getRequestId(error);
      logger.warn(method, {
        ms: elapsed(),
        code: Code[ConnectError.from(error).code],
        ...(requestId !== undefined && { requestId }),
      });
      throw error;
    }
  };
}

/** Headers that contain a call's timeout, one for each protocol. */
const TIMES = ['grpc-timeout', 'connect-timeout-ms'];

/**
 * Gives every unary call its own deadline, so that each retry has the full time. The service
 * receives the deadline (`grpc-timeout`) and can stop working when it expires. Streams have no
 * deadline, and calls with a timeout from the caller keep that timeout.
 */
function deadlineInterceptor(milliseconds: number): Interceptor {
  return (next) => async (request) => {
    if (request.stream || TIMES.some((name) => request.header.has(name))) return next(request);
    request.header.set('grpc-timeout', `${milliseconds}m`);
    const late = new ConnectError(
      `no response within ${milliseconds / 1_000} s`,
      Code.DeadlineExceeded,
    );
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(late), milliseconds);
    const signal = AbortSignal.any([request.signal, deadline.signal]);
    try {
      return await next({ ...request, signal });
    } catch (error) {
      throw deadline.signal.aborted && !request.signal.aborted ? late : error;
    } finally {
      clearTimeout(timer);
    }
  };
}

/**
 * Adds the bearer token to every call. When the service rejects the token, gets a new one (once for
 * all rejected calls) and repeats the call once. That is safe for every method, because a rejected
 * call has no effect. Doesn't repeat streams. The service rejects them before their first message,
 * but their input might already be consumed.
 */
function authenticateInterceptor(authenticator: Authenticator): Interceptor {
  return (next) => async (request) => {
    const token = await authenticator.getToken();
    request.header.set('authorization', `Bearer ${token}`);
    try {
      const response = await next(request);
      return response.stream
        ? {
            ...response,
            message: noticing(response.message, () => authenticator.invalidate(token)),
          }
        : response;
    } catch (error) {
      if (!isTokenRejection(error)) throw error;
      authenticator.invalidate(token);
      if (request.stream) throw error;
      request.header.set('authorization', `Bearer ${await authenticator.getToken()}`);
      return next(request);
    }
  };
}

/** Detects when a token is rejected while a stream's messages are read. */
async function* noticing<T>(messages: AsyncIterable<T>, onRejected: () => void): AsyncGenerator<T> {
  try {
    yield* messages;
  } catch (error) {
    if (isTokenRejection(error)) onRejected();
    throw error;
  }
}

function isTokenRejection(error: unknown): boolean {
  return ConnectError.from(error).code === Code.Unauthenticated;
}

export interface RetryOptions {
  /** Maximum number of attempts, including the first. */
  readonly attempts: number;
  /** Maximum wait in milliseconds before the second attempt; doubles with each further attempt. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  readonly sleep: Sleep;
  /** Returns a number in [0, 1), to spread the retries of many clients. */
  readonly random: () => number;
}

/**
 * Retries calls that failed because the service was unavailable, if the API contract says that
 * repeating them is safe. Leaves other calls to the caller, because they could take effect twice.
 */
function retryInterceptor(options: RetryOptions): Interceptor {
  return (next) => async (request) => {
    const repeatable =
      !request.stream && request.method.idempotency !== Idempotency.IDEMPOTENCY_UNKNOWN;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await next(request);
      } catch (error) {
        const last = attempt >= options.attempts;
        if (!repeatable || last || request.signal.aborted || !isTransient(error)) throw error;
        await options.sleep(waitBefore(attempt, options), request.signal);
      }
    }
  };
}

function isTransient(error: unknown): boolean {
  const { code } = ConnectError.from(error);
  // Losing the connection during a call results in Canceled, or in Aborted with Node's ECONNRESET.
  const cut = code === Code.Canceled || (code === Code.Aborted && hasNodeCode(error));
  return code === Code.Unavailable || cut;
}

function hasNodeCode(error: unknown): boolean {
  return error instanceof Error && getErrorCode(error.cause) !== undefined;
}

function waitBefore(attempt: number, options: RetryOptions): number {
  const ceiling = Math.min(options.firstWaitMs * 2 ** (attempt - 1), options.longestWaitMs);
  return ceiling * options.random();
}
