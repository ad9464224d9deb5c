import type { ServerHttp2Stream } from 'node:http2';
import { Code, type ConnectError } from '@connectrpc/connect';
import { encodeEnvelope } from '@connectrpc/connect/protocol';
import {
  codeToString,
  endStreamFlag,
  endStreamToJson,
  errorToJsonBytes,
} from '@connectrpc/connect/protocol-connect';
import { setTrailerStatus } from '@connectrpc/connect/protocol-grpc';
import { RetryInfoSchema } from '../../gen/google/rpc/error_details_pb';
import { closeSlowly, type HttpRequest, type HttpResponse, rejectRequest } from './http';

const GRPC = /^application\/grpc(-web)?(-text)?(\+[a-z]+)?\s*(;|$)/i;
const CONNECT_STREAM = /^application\/connect\+[a-z]+\s*(;|$)/i;
const CONNECT_UNARY = /^application\/(json|proto)\s*(;|$)/i;

/**
 * Connect clients read the error code from the response body. Other clients interpret 404 as
 * Unimplemented.
 */
const HTTP_STATUS: Partial<Record<Code, number>> = {
  [Code.Unauthenticated]: 401,
  [Code.Unimplemented]: 404,
  [Code.ResourceExhausted]: 429,
};

/**
 * Responds to a call with an error in the request's protocol, without reading the request's body.
 * The response is trailers-only for gRPC and gRPC-Web, JSON for Connect, and a line of text for
 * other protocols.
 */
export function sendError(request: HttpRequest, response: HttpResponse, error: ConnectError): void {
  const contentType = request.headers['content-type'] ?? '';
  const status = HTTP_STATUS[error.code] ?? 500;
  closeUnread(request, response);
  setRetryAfter(response, error);
  if (GRPC.test(contentType)) {
    const headers = new Headers({ 'content-type': contentType });
    setTrailerStatus(headers, error);
    for (const [name, value] of headers) response.setHeader(name, value);
    response.end();
    // A headers-only response never emits `wantTrailers`.
    if ('stream' in response) resetSoon(request, response.stream);
  } else if (CONNECT_STREAM.test(contentType)) {
    response.setHeader('content-type', contentType);
    const content = JSON.stringify(endStreamToJson(new Headers(), error, undefined));
    response.end(encodeEnvelope(endStreamFlag, new TextEncoder().encode(content)));
  } else if (CONNECT_UNARY.test(contentType) || isConnectGet(request)) {
    response.statusCode = status;
    response.setHeader('content-type', 'application/json');
    response.setHeader('x-content-type-options', 'nosniff');
    response.end(errorToJsonBytes(error, undefined));
  } else {
    rejectRequest(request, response, status, `${codeToString(error.code)}: ${error.rawMessage}`);
  }
}

/**
 * Repeats the hint when to retry (`google.rpc.RetryInfo`) as an HTTP header in whole seconds, for
 * clients and proxies that don't speak gRPC.
 */
export function setRetryAfter(response: HttpResponse, error: ConnectError): void {
  const { retryDelay } = error.findDetails(RetryInfoSchema)[0] ?? {};
  if (retryDelay === undefined) return;
  const seconds = Number(retryDelay.seconds) + (retryDelay.nanos > 0 ? 1 : 0);
  response.setHeader('retry-after', String(seconds));
}

/** Returns true for a call over the Connect protocol, and false for gRPC and gRPC-Web. */
export function isConnectCall({ headers }: HttpRequest): boolean {
  return !GRPC.test(headers['content-type'] ?? '');
}

function isConnectGet({ method, url = '' }: HttpRequest): boolean {
  return method === 'GET' && new URLSearchParams(url.split('?')[1]).get('connect') === 'v1';
}

/**
 * Closes a request whose response is sent before the request body has been read completely. Over
 * HTTP/2, resets the stream without an error after the response has been sent (RFC 9113, section
 * 8.1). Otherwise, a client that is waiting for flow control would wait indefinitely. Over
 * HTTP/1.1, closes the connection some time after the response.
 */
export function closeUnread(request: HttpRequest, response: HttpResponse): void {
  if (!('stream' in response)) {
    if (!request.complete && !response.headersSent) closeSlowly(request, response);
    return;
  }
  const { stream } = response;
  // The trailers are the last frame in a response.
  stream.once('wantTrailers', () => resetSoon(request, stream));
}

function resetSoon(request: HttpRequest, stream: ServerHttp2Stream): void {
  // Pending data is sent in this tick of the event loop.
  setImmediate(() => {
    if (!request.complete && !stream.destroyed) stream.close();
  });
}

/** Maximum number of bytes to send in one chunk. */
const GATHERED_BYTES = 64 * 1024;

/**
 * Merges chunks that are ready at the same time, because sending a chunk is as expensive as
 * creating several small messages. Doesn't wait for chunks that aren't ready. Yields to other work
 * between merged chunks, regardless of how fast they are consumed.
 */
export async function* gathered(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const source = chunks[Symbol.asyncIterator]();
  let next = source.next();
  next.catch(() => undefined);
  let isDone = false;
  let failure: { cause: unknown } | undefined;
  try {
    while (!isDone && failure === undefined) {
      const ready: Uint8Array[] = [];
      let bytes = 0;
      let turn: Promise<undefined> | undefined;
      try {
        while (!isDone && bytes < GATHERED_BYTES) {
          const result = turn === undefined ? await next : await Promise.race([next, turn]);
          if (result === undefined) break;
          if (result.done === true) {
            isDone = true;
          } else {
            ready.push(result.value);
            bytes += result.value.length;
            next = source.next();
            // Prevents an unhandled rejection while nothing is waiting for the chunk.
            next.catch(() => undefined);
            turn ??= waitForTickEnd();
          }
        }
      } catch (cause) {
        // The error is thrown after the preceding data has been sent.
        failure = { cause };
      }
      if (ready.length > 0) {
        await turn;
        yield Buffer.concat(ready);
      }
    }
  } finally {
    if (!isDone) await source.return?.();
  }
  if (failure !== undefined) throw failure.cause;
}

/** Resolves after all ready callbacks have run, but before any new data arrives. */
async function waitForTickEnd(): Promise<undefined> {
  return new Promise((resolve) => {
    setImmediate(() => {
      resolve(undefined);
    });
  });
}
