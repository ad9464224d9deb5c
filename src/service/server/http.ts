import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';

/** A request over HTTP/1.1 or HTTP/2: the port speaks both. */
export type HttpRequest = IncomingMessage | Http2ServerRequest;
export type HttpResponse = ServerResponse | Http2ServerResponse;
export type HttpListener = (request: HttpRequest, response: HttpResponse) => void;

/** A plain HTTP route: answers false, having touched nothing, when the request is not its own. */
export type HttpRoute = (request: HttpRequest, response: HttpResponse) => boolean;

/** The path of a request without its query. */
export function pathOf(request: HttpRequest): string {
  return (request.url ?? '').split('?', 1)[0] ?? '';
}

/** Answers one line of text and, on HTTP/1.1, ends the connection: the body may still be on its way. */
export function refuse(
  request: HttpRequest,
  response: HttpResponse,
  status: number,
  text: string,
): void {
  response.statusCode = status;
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.setHeader('x-content-type-options', 'nosniff');
  if (request.httpVersionMajor < 2) {
    response.setHeader('connection', 'close');
  }
  response.end(`${text}\n`);
}
