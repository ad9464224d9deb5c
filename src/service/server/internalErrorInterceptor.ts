import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import type { Logger } from '../../base/logger';
import { callRecordKey, makeRequestId } from './callRecord';

/**
 * Maximum length of an error message. Messages are sent in trailers, where a character can take
 * nine bytes. If the trailers exceed 8 KiB, clients in some languages abort the call or close the
 * connection.
 */
const MAX_MESSAGE_LENGTH = 500;

/**
 * Hides the messages of unexpected errors. Any error other than a `ConnectError` is logged under a
 * short ID, and the caller receives an Internal error with that ID. Truncates messages to a length
 * that every client can read, because they can quote requests of any size. Must be the outermost
 * interceptor.
 */
export function internalErrorInterceptor(logger: Logger): Interceptor {
  return (next) => async (request) => {
    const method = `${request.service.typeName}/${request.method.name}`;
    const record = request.contextValues.get(callRecordKey);
    record?.enter();
    const report = (error: unknown): ConnectError => {
      const reported = callerError(error, request.signal, (cause) =>
        logInternalError(logger, method, cause, record?.id),
      );
      record?.fail(reported.code);
      return reported;
    };
    try {
      const response = await next(request);
      return response.stream
        ? { ...response, message: reportingErrors(response.message, report) }
        : response;
    } catch (error) {
      throw report(error);
    }
  };
}

/**
 * Logs an unexpected error under an ID, and returns a message for the caller that contains the ID.
 */
export function logInternalError(
  logger: Logger,
  where: string,
  error: unknown,
  id = makeRequestId(),
): string {
  logger.error('a handler failed', { id, where, error: getStack(error) });
  return `internal error (ID ${id})`;
}

function callerError(
  error: unknown,
  signal: AbortSignal,
  log: (cause: unknown) => string,
): ConnectError {
  if (error instanceof ConnectError) {
    return withShortMessage(error);
  }
  // If the signal has aborted, the handler failed because its caller disconnected or the call timed
  // out.
  if (signal.aborted) {
    return ConnectError.from(signal.reason, Code.Canceled);
  }
  return new ConnectError(log(error), Code.Internal, undefined, undefined, error);
}

function withShortMessage(error: ConnectError): ConnectError {
  if (error.rawMessage.length <= MAX_MESSAGE_LENGTH) {
    return error;
  }
  // Removes the first half of a surrogate pair at the end.
  const cut = error.rawMessage.slice(0, MAX_MESSAGE_LENGTH).replace(/[\uD800-\uDBFF]$/, '');
  const short = new ConnectError(`${cut}…`, error.code, error.metadata, undefined, error.cause);
  short.details = error.details;
  return short;
}

async function* reportingErrors<T>(
  messages: AsyncIterable<T>,
  report: (error: unknown) => ConnectError,
): AsyncGenerator<T> {
  try {
    yield* messages;
  } catch (error) {
    throw report(error);
  }
}

function getStack(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
