import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';

/** Request over HTTP/1.1 or HTTP/2. The port supports both. */
export type HttpRequest = IncomingMessage | Http2ServerRequest;
export type HttpResponse = ServerResponse | Http2ServerResponse;
export type HttpListener = (request: HttpRequest, response: HttpResponse) => void;

/** Plain HTTP route. Returns false, without side effects, if it doesn't handle the request. */
export type HttpRoute = (request: HttpRequest, response: HttpResponse) => boolean;

/** Returns the path of a request without its query. */
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
  if (request.httpVersionMajor < 2) response.setHeader('connection', 'close');
  response.end(`${text}\n`);
}
