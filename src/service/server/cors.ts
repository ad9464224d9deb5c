import { cors } from '@connectrpc/connect';
import { REQUEST_ID_HEADER } from './callRecord';
import type { HttpRequest, HttpResponse } from './http';

/** What clients send besides the protocols' own headers. */
const OWN_REQUEST_HEADERS = ['authorization', 'viam_client', 'x-user-agent'];
const PREFLIGHT_SECONDS = 7200;

const allowedHeaders = [...new Set([...cors.allowedHeaders, ...OWN_REQUEST_HEADERS])].join(', ');
const exposedHeaders = [...cors.exposedHeaders, REQUEST_ID_HEADER].join(', ');
const allowedMethods = cors.allowedMethods.join(', ');

/** Whether a browser asks, before a page's request, if the page may send it. */
export function isPreflight(request: HttpRequest): boolean {
  return (
    request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
  );
}

/** Lets pages of `origin` read the answer. */
export function allowOrigin(response: HttpResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', exposedHeaders);
  response.setHeader('vary', 'origin');
}

/** Says which methods and headers a page may use; the origin is already allowed. */
export function answerPreflight(request: HttpRequest, response: HttpResponse): void {
  response.setHeader('access-control-allow-methods', allowedMethods);
  response.setHeader('access-control-allow-headers', allowedHeaders);
  response.setHeader('access-control-max-age', PREFLIGHT_SECONDS);
  // Chromium asks this before a public page may call an address of the local network.
  if (request.headers['access-control-request-private-network'] === 'true') {
    response.setHeader('access-control-allow-private-network', 'true');
  }
  response.statusCode = 204;
  response.end();
}
