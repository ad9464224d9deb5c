import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { ConnectError } from '@connectrpc/connect';

/** Request over HTTP/1.1 or HTTP/2. The port supports both. */
export type HttpRequest = IncomingMessage | Http2ServerRequest;
export type HttpResponse = ServerResponse | Http2ServerResponse;
export type HttpListener = (request: HttpRequest, response: HttpResponse) => void;

/** Client of a plain HTTP route. */
export interface HttpClient {
  /** The client's own address, even if a trusted proxy forwarded the request. */
  readonly address: string | undefined;
  /** Counts a request with an API key, or of a machine. Returns an error if there are too many. */
  readonly takeKey: (id: string) => ConnectError | undefined;
}

/** Plain HTTP route. Returns false, without side effects, if it doesn't handle the request. */
export type HttpRoute = (
  request: HttpRequest,
  response: HttpResponse,
  client: HttpClient,
) => boolean;

/** Maximum number of characters of a request's head that messages and log lines quote. */
const MAX_QUOTED_LENGTH = 200;

/** Shortens text from a request's head, such as a path or a host name, for messages and log lines. */
export function shorten(text: string): string {
  return text.length <= MAX_QUOTED_LENGTH ? text : `${text.slice(0, MAX_QUOTED_LENGTH)}…`;
}

/** Returns a request's path without its query. */
export function getRequestPath(request: HttpRequest): string {
  return (request.url ?? '').split('?', 1)[0] ?? '';
}

/**
 * Responds with one line of text. On HTTP/1.1, also closes the connection, because the body might
 * still be arriving.
 */
export function rejectRequest(
  request: HttpRequest,
  response: HttpResponse,
  status: number,
  text: string,
): void {
  response.statusCode = status;
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.setHeader('x-content-type-options', 'nosniff');
  if (!('stream' in response)) closeSlowly(request, response);
  response.end(`${text}\n`);
}

/** Maximum number of bytes to discard. JSON messages are smaller. */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;
/** Maximum time to wait for the client to stop sending. */
const MAX_DISCARDING_MS = 10_000;

/**
 * Closes an HTTP/1.1 connection after the response. Without TLS, first discards the data that the
 * client is still sending, within limits on bytes and time. If the connection were closed with
 * unread data, the client could receive a connection reset instead of the response (RFC 9112,
 * section 9.6).
 */
export function closeSlowly(request: HttpRequest, response: HttpResponse): void {
  response.setHeader('connection', 'close');
  const { socket } = request;
  if (socket instanceof TLSSocket) return;
  // Node.js calls this method when the response has been sent.
  socket.destroySoon = () => {
    if (request.complete) {
      Socket.prototype.destroySoon.call(socket);
      return;
    }
    socket.end();
    const timer = setTimeout(() => socket.destroy(), MAX_DISCARDING_MS);
    let left = MAX_DISCARDED_BYTES;
    socket.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) socket.destroy();
    });
    socket.once('close', () => clearTimeout(timer));
    // A reader could pause the body, which would then not be discarded. The listener keeps the body
    // flowing after the reader has been removed.
    request.removeAllListeners('data').once('end', () => socket.destroy());
    request.on('data', () => undefined);
    request.resume();
  };
}
