import { constants } from 'node:http2';
import type { DescMethod } from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  type ConnectRouter,
  type ContextValues,
  createConnectRouter,
  createContextValues,
  type Interceptor,
} from '@connectrpc/connect';
import {
  compressionBrotli,
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from '@connectrpc/connect-node';
import type { UniversalHandler, UniversalServerResponse } from '@connectrpc/connect/protocol';
import type { Logger } from '../../base/logger';
import { LongWork } from '../../base/longWork';
import { machineMemory } from '../processes/processGuard';
import { closeUnread, gathered, isConnectCall, sendError } from './responses';
import type { BodyTimeouts } from './bodySource';
import {
  addRequestInfo,
  type CallHead,
  type CallObserver,
  CallRecord,
  callRecordKey,
  type CallTracer,
  internalErrorInterceptor,
} from './callRecord';
import {
  type DecodedMessages,
  decodedMessageInterceptor,
  decodedMessagesKey,
} from './decodeMessage';
import { FairBudget, type FairBudgetOptions, type FairCaller, FairStarts } from './fairBudget';
import { type HttpRequest, type HttpResponse, getRequestPath, shorten } from './http';
import { idleCollector } from './idleCollector';
import { type FindMessageLimit, findMessageLimit, MAX_MESSAGE_BYTES } from './messageLimits';
import type { CountRejection } from './connectionGuard';
import type { RateLimits } from './rateLimits';
import type { RequestMemory } from './callMemory';
import { RequestMessages } from './requestMessages';

/**
 * Identifies the caller from the headers, before the body is read. Returns information that the
 * interceptors can rely on. Throws Unauthenticated.
 */
export type Admit = (method: DescMethod, caller: CallerHead) => Promise<Admission>;

export interface Admission {
  readonly values: ContextValues;
  /** Identifier of the caller, used to allocate memory fairly among callers. */
  readonly caller: FairCaller;
  /** True if the caller has signed in. */
  readonly isKnown: boolean;
  /** ID of the API key or machine whose calls are counted. If absent, only its address counts. */
  readonly rateKey?: string;
}

/** Information about a caller that is available before the body is read. */
export interface CallerHead {
  /** Value of the `authorization` header. */
  authorization: string | undefined;
  /** The client's own address, even if a trusted proxy forwarded the call. */
  address: string | undefined;
}

/** Handles an RPC whose caller receives the identity's request ID in the response headers. */
export type RpcListener = (request: HttpRequest, response: HttpResponse, head: CallHead) => void;

export interface RpcListenerOptions {
  routes: (router: ConnectRouter) => void;
  interceptors: readonly Interceptor[];
  /**
   * Identifies the caller. If absent, only the interceptors authenticate callers, after the body is
   * read.
   */
  admit?: Admit | undefined;
  /** Returns a method's request message limits. If absent, the service's own limits apply. */
  findLimit?: FindMessageLimit | undefined;
  /** Timeouts for request bodies. If absent, the defaults apply. */
  bodyTimeouts?: BodyTimeouts | undefined;
  /** Memory for request messages. If absent, a share of this computer's memory is used. */
  requestMemory?: RequestMemory | undefined;
  /**
   * Scheduler for decoding large messages. If absent, decoding is scheduled separately from other
   * long-running work.
   */
  longWork?: LongWork | undefined;
  /** Observes calls, for metrics. */
  callObserver?: CallObserver | undefined;
  /** Records calls in distributed traces. */
  tracer?: CallTracer | undefined;
  rateLimits: RateLimits;
  countRejection: CountRejection;
  logger: Logger;
  /** Signal that aborts all calls in progress. */
  shutdownSignal: AbortSignal;
}

const MEBIBYTE = 1024 * 1024;

const UNKNOWN_MESSAGES_BYTES = 16 * MEBIBYTE;
const SMALL_MESSAGES_BYTES = 64 * MEBIBYTE;
/**
 * Minimum budget for large messages. It is large enough for one compressed message of the maximum
 * size and one other message.
 */
const MIN_LARGE_MESSAGES_BYTES = 400 * MEBIBYTE;
const MAX_LARGE_MESSAGES_BYTES = 1024 * MEBIBYTE;
const LARGE_MESSAGES_SHARE = 1 / 8;
/** Maximum number of values in all messages together. Each value uses about 200 bytes. */
const MAX_VALUES = 2_000_000;
/** Two, so that one caller's decompression doesn't delay another caller. */
const MAX_DECOMPRESSIONS = 2;
const MAX_WAIT_MS = 30_000;
/**
 * Time in milliseconds before memory is reclaimed. Sending a large message over a typical
 * connection takes less time. Callers that wait for memory have a longer timeout, so they can use
 * the reclaimed memory.
 */
const RECLAIM_AFTER_MS = 20_000;

/**
 * Minimum size of compressed responses. It is larger than any response, which disables compression,
 * as in the public cloud. The public TypeScript client reads incorrect numbers from compressed
 * rows, because it assumes that its decompressor returns copies.
 */
const MIN_COMPRESSED_BYTES = MAX_MESSAGE_BYTES + 1;

/** Maximum delay for a Node.js timer, which is almost 25 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/**
 * Matches timeouts in units in which the value can exceed the maximum delay. The gRPC protocol
 * limits the value to eight digits, so timeouts in shorter units can't exceed it.
 */
const GRPC_TIMEOUT = /^(\d{1,8})([HMS])$/;
const LONG_UNITS_MS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000 };

/**
 * Serves RPCs over gRPC, gRPC-Web, and Connect. Responds with Unauthenticated before reading the
 * body, and with Unimplemented for unknown paths. Logs failures, unlike connect-node's adapter,
 * which prints them to the console.
 */
export function createRpcListener(options: RpcListenerOptions): RpcListener {
  const router = createConnectRouter({
    interceptors: [
      internalErrorInterceptor(options.logger),
      decodedMessageInterceptor,
      ...options.interceptors,
    ],
    acceptCompression: [compressionGzip, compressionBrotli],
    compressMinBytes: MIN_COMPRESSED_BYTES,
    readMaxBytes: MAX_MESSAGE_BYTES,
    writeMaxBytes: MAX_MESSAGE_BYTES,
    shutdownSignal: options.shutdownSignal,
  });
  options.routes(router);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  const memory = options.requestMemory ?? createRequestMemory();
  const starts = new FairStarts<object>();
  const { longWork = new LongWork(), rateLimits } = options;
  const { countRejection, findLimit = findMessageLimit, bodyTimeouts: timeouts } = options;

  const admit = async (
    { method }: UniversalHandler,
    { headers }: HttpRequest,
    address: string | undefined,
  ): Promise<Admission> => {
    const admission = await options.admit?.(method, {
      authorization: headers.authorization,
      address,
    });
    return admission ?? { values: createContextValues(), caller: [address ?? ''], isKnown: true };
  };

  const serve = async (
    handler: UniversalHandler,
    request: HttpRequest,
    response: HttpResponse,
    record: CallRecord,
    address: string | undefined,
  ): Promise<void> => {
    await starts.wait(getConnection(request));
    const admission = isDisconnected(response) ? undefined : await admit(handler, request, address);
    if (admission === undefined || isDisconnected(response)) {
      record.fail(Code.Canceled);
      return;
    }
    const { values, caller, isKnown, rateKey } = admission;
    const excess = rateKey === undefined ? undefined : rateLimits.takeKey(rateKey);
    if (excess !== undefined) throw excess;
    const decoded: DecodedMessages = [];
    values.set(callRecordKey, record).set(decodedMessagesKey, decoded);
    removeEndlessTimeouts(request);
    const { method } = handler;
    const messages = RequestMessages.prepare(request, {
      method,
      limit: findLimit(method),
      caller,
      timeouts,
      longWork,
      handOver: (message) => void decoded.push(message),
      memory: isKnown ? memory : { ...memory, small: memory.unknown },
      countRejection: (reason) => {
        countRejection(reason);
        record.fail(reason === 'slowBody' ? Code.DeadlineExceeded : Code.ResourceExhausted);
      },
    });
    response.once('close', () => messages?.release());
    const call = universalRequestFromNodeRequest(request, response, undefined, values);
    const body = messages?.read(call.signal) ?? call.body;
    const answer = coalesceBody(handler, await handler({ ...call, body }));
    closeUnread(request, response);
    await universalResponseToNodeResponse(answer, response);
  };

  return (request, response, head) => {
    const { identity, address, excess } = head;
    const path = getRequestPath(request);
    const handler = handlers.get(path);
    const record = new CallRecord(shorten(path), head, options.logger);
    const isSent = watchSending(request, response);
    response.once('close', () => {
      // If the client ends the call, the handler fails only after this event.
      if (!isSent()) record.fail(Code.Canceled);
      record.finish();
    });
    const reject = (error: ConnectError): void => {
      record.fail(error.code);
      sendError(request, response, addRequestInfo(error, identity));
    };
    if (handler === undefined) {
      if (excess !== undefined) {
        reject(excess);
        return;
      }
      countRejection('unknownMethod');
      const message = `${shorten(path)} doesn't exist: the service doesn't implement this method`;
      reject(new ConnectError(message, Code.Unimplemented));
      return;
    }
    record.observe(handler.method, isConnectCall(request), options.callObserver, options.tracer);
    if (excess !== undefined) {
      reject(excess);
      return;
    }
    serve(handler, request, response, record, address).catch((error: unknown) => {
      const failure = ConnectError.from(error);
      if (failure.code === Code.Unauthenticated && !response.headersSent) {
        // Requests without a token aren't counted, because clients regularly use them to check
        // whether the service responds.
        if (request.headers.authorization !== undefined) countRejection('unauthenticated');
        reject(failure);
        return;
      }
      if (failure.code === Code.ResourceExhausted && !response.headersSent) {
        reject(failure);
        return;
      }
      // The caller has already received any error from the handler. This error means that the
      // response couldn't be sent, because the caller disconnected.
      const { code, rawMessage } = failure;
      record.fail(isDisconnected(response) ? Code.Canceled : code);
      options.logger.debug('a response was not sent', { path, code: Code[code], rawMessage });
      response.destroy();
    });
  };
}

/** Returns an object that is the same for all requests on a connection. */
function getConnection(request: HttpRequest): object {
  return ('stream' in request ? request.stream.session : undefined) ?? request.socket;
}

/**
 * Returns a function that, when the response is closed, returns true if it was sent completely before
 * the client ended the call.
 */
function watchSending(request: HttpRequest, response: HttpResponse): () => boolean {
  if ('stream' in response) {
    const { stream } = response;
    // Node.js also ends the responses of streams that were reset.
    return () => stream.rstCode === constants.NGHTTP2_NO_ERROR && !stream.aborted;
  }
  let isSent = false;
  // Node.js also finishes the response when the socket is destroyed.
  response.prependOnceListener('finish', () => (isSent = !request.socket.destroyed));
  return () => isSent;
}

/** Returns true if the client has reset the call or closed the connection. */
function isDisconnected(response: HttpResponse): boolean {
  return 'stream' in response
    ? response.stream.destroyed || response.stream.closed
    : response.destroyed || response.req.socket.destroyed;
}

/**
 * Creates the memory budgets for request messages. The budget for small messages has a fixed size;
 * the budget for large messages is a share of this computer's memory.
 */
export function createRequestMemory(): RequestMemory {
  const share = machineMemory() * LARGE_MESSAGES_SHARE;
  const large = Math.min(Math.max(share, MIN_LARGE_MESSAGES_BYTES), MAX_LARGE_MESSAGES_BYTES);
  const budget = (
    capacity: number,
    listeners: Pick<FairBudgetOptions, 'onRelease' | 'onUnused'> = {},
  ): FairBudget =>
    new FairBudget({
      capacity,
      maxWaitMs: MAX_WAIT_MS,
      reclaimAfterMs: RECLAIM_AFTER_MS,
      ...listeners,
    });
  return {
    unknown: budget(UNKNOWN_MESSAGES_BYTES),
    small: budget(SMALL_MESSAGES_BYTES),
    large: budget(large, {
      onRelease: idleCollector.addUnused,
      onUnused: idleCollector.schedule,
    }),
    values: budget(MAX_VALUES),
    decompressions: budget(MAX_DECOMPRESSIONS),
  };
}

/** Merges the messages in a streaming response into fewer chunks. */
function coalesceBody({ method }: UniversalHandler, answer: UniversalServerResponse) {
  const isStream =
    method.methodKind === 'server_streaming' || method.methodKind === 'bidi_streaming';
  return isStream && answer.body ? { ...answer, body: gathered(answer.body) } : answer;
}

/**
 * Removes timeouts that exceed the maximum delay for a Node.js timer. For these timeouts, the
 * library would set a timer that expires immediately and ends the call.
 */
function removeEndlessTimeouts({ headers }: HttpRequest): void {
  const [, amount, unit = ''] = GRPC_TIMEOUT.exec(String(headers['grpc-timeout'])) ?? [];
  if (Number(amount) * (LONG_UNITS_MS[unit] ?? 0) > MAX_TIMER_MS) delete headers['grpc-timeout'];
  if (Number(headers['connect-timeout-ms']) > MAX_TIMER_MS) delete headers['connect-timeout-ms'];
}
