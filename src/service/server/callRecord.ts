import { Code, ConnectError, createContextKey, type Interceptor } from '@connectrpc/connect';
import type { DescMethod } from '@bufbuild/protobuf';
import type { Logger } from '../../base/logger';
import { RequestInfoSchema } from '../../gen/google/rpc/error_details_pb';
import { type CallIdentity, readCallIdentity } from './callIdentity';

const MS_PER_SECOND = 1_000;

/** A call, as observers see it. Contains only names of the contract. */
export interface ObservedCall {
  readonly service: string;
  readonly method: string;
  readonly isStream: boolean;
}

/** Observes the calls of methods that the service implements. */
export interface CallObserver {
  /** Called when the headers of a call have arrived. */
  start(call: ObservedCall): void;
  /**
   * Called when the response has ended for any reason.
   * @param code name of a gRPC code, such as `NotFound`, or `Ok`
   */
  finish(call: ObservedCall, code: string, seconds: number): void;
}

/** A call that has ended. */
export interface FinishedCall extends ObservedCall {
  readonly identity: CallIdentity;
  /** True for the Connect protocol; false for gRPC and gRPC-Web. */
  readonly isConnect: boolean;
  /** Error code of the call; undefined if it succeeded. */
  readonly code: Code | undefined;
  /** Time of the arrival of the headers, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
}

/** Records calls in distributed traces. */
export interface CallTracer {
  /** Returns a call's identity with the IDs of its trace and span, if the call is traced. */
  identify(identity: CallIdentity, traceParent: string | undefined): CallIdentity;
  /** Records a call that has ended. Must not throw. */
  record(call: FinishedCall): void;
}

/** Request that makes a call. */
export interface CallHead {
  readonly identity: CallIdentity;
  /** The client's own address, even if a trusted proxy forwarded the call. */
  readonly address: string | undefined;
  /** Error if the address has made too many calls. */
  readonly excess: ConnectError | undefined;
}

/** Log record for a call, from the arrival of its headers to the end of its response. */
export class CallRecord {
  private readonly startedAt = Date.now();
  /** The same time on a clock that is never set, for durations. */
  private readonly startMs = performance.now();
  private code: Code | undefined;
  private isRead = false;
  private notifyFinished: ((code: Code | undefined, ms: number) => void) | undefined;

  constructor(
    private readonly path: string,
    private readonly head: CallHead,
    private readonly logger: Logger,
  ) {}

  get identity(): CallIdentity {
    return this.head.identity;
  }

  /** Notifies an observer of the start and the end of the call, and a tracer of its end. */
  observe(
    { parent, name, methodKind }: DescMethod,
    isConnect: boolean,
    observer: CallObserver | undefined,
    tracer: CallTracer | undefined,
  ): void {
    const call = { service: parent.typeName, method: name, isStream: methodKind !== 'unary' };
    observer?.start(call);
    this.notifyFinished = (code, durationMs) => {
      observer?.finish(call, formatCode(code), durationMs / MS_PER_SECOND);
      const { identity, startedAt } = this;
      tracer?.record({ ...call, identity, isConnect, code, startedAt, durationMs });
    };
  }

  /** Records that the request has been read and is being handled. */
  enter(): void {
    this.isRead = true;
  }

  /** Records the call's error. Ignores later errors. */
  fail(code: Code): void {
    this.code ??= code;
  }

  /**
   * Logs the call on one line. This is the only record of requests that the library rejects as
   * unreadable.
   */
  finish(): void {
    const code = this.code ?? (this.isRead ? undefined : Code.InvalidArgument);
    const ms = performance.now() - this.startMs;
    this.notifyFinished?.(code, ms);
    this.logger.trace('call', {
      ...this.identity,
      address: this.head.address,
      method: this.path,
      ms: Math.round(ms),
      code: formatCode(code),
    });
  }
}

function formatCode(code: Code | undefined): string {
  return code === undefined ? 'Ok' : Code[code];
}

/** Context key for the call record, for interceptors; undefined for in-process calls. */
export const callRecordKey = createContextKey<CallRecord | undefined>(undefined, {
  description: 'the record of the call',
});

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
        logInternalError(logger, method, cause, record?.identity),
      );
      if (record === undefined) return reported;
      record.fail(reported.code);
      return addRequestInfo(reported, record.identity);
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
  identity: CallIdentity = readCallIdentity({}),
): string {
  logger.error('a handler failed', { ...identity, where, error: getStack(error) });
  return `internal error (ID ${identity.requestId})`;
}

/**
 * Returns an error with the ID that identifies its call in the log, as a detail that programs can
 * read (`google.rpc.RequestInfo`). Doesn't change the error, which several calls can share.
 */
export function addRequestInfo(error: ConnectError, { requestId }: CallIdentity): ConnectError {
  const { rawMessage, code, metadata, cause } = error;
  const identified = new ConnectError(rawMessage, code, metadata, undefined, cause);
  identified.details = [...error.details, { desc: RequestInfoSchema, value: { requestId } }];
  return identified;
}

function callerError(
  error: unknown,
  signal: AbortSignal,
  log: (cause: unknown) => string,
): ConnectError {
  if (error instanceof ConnectError) return withSendableMessage(error);
  // If the signal has aborted, the handler failed because its caller disconnected or the call timed
  // out.
  if (signal.aborted) return withSendableMessage(ConnectError.from(signal.reason, Code.Canceled));
  return new ConnectError(log(error), Code.Internal, undefined, undefined, error);
}

/** Shortens a message, and replaces halves of surrogate pairs, which can't be encoded as UTF-8. */
function withSendableMessage(error: ConnectError): ConnectError {
  const { rawMessage, code, metadata, cause } = error;
  const isLong = rawMessage.length > MAX_MESSAGE_LENGTH;
  if (!isLong && rawMessage.isWellFormed()) return error;
  // Removes the first half of a surrogate pair at the end.
  const cut = rawMessage.slice(0, MAX_MESSAGE_LENGTH).replace(/[\uD800-\uDBFF]$/, '');
  const text = isLong ? `${cut}…` : rawMessage;
  const sendable = new ConnectError(text.toWellFormed(), code, metadata, undefined, cause);
  sendable.details = error.details;
  return sendable;
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
