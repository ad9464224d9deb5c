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
import { type HttpRequest, type HttpResponse, rejectRequest } from './http';

const GRPC = /^application\/grpc(-web)?(-text)?(\+[a-z]+)?\s*(;|$)/i;
const CONNECT_STREAM = /^application\/connect\+[a-z]+\s*(;|$)/i;
const CONNECT_UNARY = /^application\/(json|proto)\s*(;|$)/i;

/** Connect clients read the code from the body. Other clients interpret 404 as Unimplemented. */
const HTTP_STATUS: Partial<Record<Code, number>> = {
  [Code.Unauthenticated]: 401,
  [Code.Unimplemented]: 404,
};

/**
 * Responds to a call with an error in the protocol of its request, without reading the request's
 * body. The response consists only of trailers for gRPC and gRPC-Web, of JSON for Connect, and of a
 * line of text for other protocols.
 */
export function sendError(request: HttpRequest, response: HttpResponse, error: ConnectError): void {
  const contentType = request.headers['content-type'] ?? '';
  const status = HTTP_STATUS[error.code] ?? 500;
  closeUnread(request, response);
  if (GRPC.test(contentType)) {
    const headers = new Headers({ 'content-type': contentType });
    setTrailerStatus(headers, error);
    for (const [name, value] of headers) response.setHeader(name, value);
    response.end();
    // A response with only headers has no trailers.
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

function isConnectGet({ method, url = '' }: HttpRequest): boolean {
  return method === 'GET' && new URLSearchParams(url.split('?')[1]).get('connect') === 'v1';
}

/**
 * Closes a request whose response was sent before its body was read completely. Over HTTP/2, resets
 * the stream without an error after the response has been sent (RFC 9113, section 8.1). Otherwise,
 * a client that is waiting for flow control would wait indefinitely. Over HTTP/1.1, closes the
 * connection after the response.
 */
export function closeUnread(request: HttpRequest, response: HttpResponse): void {
  if (!('stream' in response)) {
    if (!request.complete && !response.headersSent) response.setHeader('connection', 'close');
    return;
  }
  const { stream } = response;
  // The trailers are the last frame of a response.
  stream.once('wantTrailers', () => resetSoon(request, stream));
}

function resetSoon(request: HttpRequest, stream: ServerHttp2Stream): void {
  // Pending data is sent in this tick of the event loop.
  setImmediate(() => {
    if (!request.complete && !stream.destroyed) stream.close();
  });
}
