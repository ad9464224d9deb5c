import { cors } from '@connectrpc/connect';
import { REQUEST_ID_HEADER } from './callRecord';
import type { HttpRequest, HttpResponse } from './http';

/** Request headers that clients send in addition to those of the RPC protocols. */
const OWN_REQUEST_HEADERS = ['authorization', 'viam_client', 'x-user-agent'];
const PREFLIGHT_SECONDS = 7200;

const allowedHeaders = [...new Set([...cors.allowedHeaders, ...OWN_REQUEST_HEADERS])].join(', ');
const exposedHeaders = [...cors.exposedHeaders, REQUEST_ID_HEADER].join(', ');
const allowedMethods = cors.allowedMethods.join(', ');

/** Returns true for a browser's CORS preflight request. */
export function isPreflight(request: HttpRequest): boolean {
  return (
    request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
  );
}

/** Allows pages of `origin` to read the response. */
export function allowOrigin(response: HttpResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', exposedHeaders);
  response.setHeader('vary', 'origin');
}

/**
 * Sends a response with the methods and headers that a page can use. The origin must already be
 * allowed.
 */
export function sendPreflightResponse(request: HttpRequest, response: HttpResponse): void {
  response.setHeader('access-control-allow-methods', allowedMethods);
  response.setHeader('access-control-allow-headers', allowedHeaders);
  response.setHeader('access-control-max-age', PREFLIGHT_SECONDS);
  // Chromium sends this header before it allows a public page to call an address in the local
  // network.
  if (request.headers['access-control-request-private-network'] === 'true') {
    response.setHeader('access-control-allow-private-network', 'true');
  }
  response.statusCode = 204;
  response.end();
}
