import { isIP, isIPv4, isIPv6 } from 'node:net';
import { cors } from '@connectrpc/connect';
import {
  getRequestPath,
  type HttpRequest,
  type HttpResponse,
  rejectRequest,
  shorten,
} from './http';
import type { CountRejection } from './connectionGuard';
import { REQUEST_ID_HEADER, TRACE_HEADER } from './callIdentity';

export interface RequestGuardOptions {
  /**
   * Host names that clients can use to call the service, in addition to loopback names. Ports are
   * ignored.
   */
  allowedHosts: readonly string[];
  /** Origins (`https://app.example.com`) whose pages can call the service. */
  allowedOrigins: readonly string[];
  /**
   * The service's pages. Browsers submit the forms on these pages with the service's own origin.
   */
  ownPages?: OwnPages | undefined;
  countRejection: CountRejection;
}

export interface OwnPages {
  isPage: (path: string) => boolean;
  /**
   * URL that browsers use to reach the pages, if it differs from the address that the service
   * listens on.
   */
  publicUrl?: string | undefined;
}

/**
 * Returns true if the guard has responded to the request. Other code must not respond in this case.
 */
export type RequestGuard = (request: HttpRequest, response: HttpResponse) => boolean;

const AUTHORITY = /^(\[[0-9a-f:.]+\]|[^\s:[\]/@]+)(?::(\d{1,5}))?$/i;
const MAX_PORT = 65535;

/**
 * Rejects with status 403 any request that a web page could have sent without its user's knowledge.
 * These are requests with a host name that isn't the service's (which could have been rebound to
 * this computer), and requests from an origin that isn't on the list. Accepts requests without an
 * Origin header, which don't come from pages, and forms submitted from the service's own pages.
 * Responds to CORS preflight requests of listed origins.
 */
export function createRequestGuard(options: RequestGuardOptions): RequestGuard {
  const hosts = new Set(options.allowedHosts.map((host) => bareHost(host)));
  const origins = new Set(options.allowedOrigins.map((origin) => origin.toLowerCase()));

  const { countRejection } = options;
  return (request, response) => {
    if (countHosts(request) > 1) {
      countRejection('malformedHost');
      rejectRequest(request, response, 400, 'The request has more than one Host header.');
      return true;
    }
    addBrackets(request);
    const host = foreignHost(request, hosts);
    if (host !== undefined) {
      countRejection('foreignHost');
      rejectRequest(
        request,
        response,
        403,
        `The host name ${JSON.stringify(shorten(host))} is not allowed. Use --allow-host to allow it.`,
      );
      return true;
    }
    const origin = request.headers.origin;
    if (origin === undefined || (options.ownPages && isFromOwnPage(request, options.ownPages))) {
      return false;
    }
    if (!origins.has(origin.toLowerCase())) {
      countRejection('foreignOrigin');
      rejectRequest(
        request,
        response,
        403,
        `The origin ${JSON.stringify(shorten(origin))} is not allowed. Use --allow-origin to allow it.`,
      );
      return true;
    }
    allowOrigin(response, origin);
    if (isPreflight(request)) {
      sendPreflightResponse(request, response);
      return true;
    }
    return false;
  };
}

/**
 * Returns true if a form on one of the service's pages was submitted, using either the host name in
 * the request or the public one.
 */
function isFromOwnPage(request: HttpRequest, { isPage, publicUrl }: OwnPages): boolean {
  const { origin = '', host } = request.headers;
  if (!isPage(getRequestPath(request))) return false;
  const from = URL.parse(origin);
  const reached = String(request.headers[':authority'] ?? host).toLowerCase();
  const isHttp = from?.protocol === 'http:' || from?.protocol === 'https:';
  return (
    (isHttp && from.host === reached) ||
    (publicUrl !== undefined && from?.origin === URL.parse(publicUrl)?.origin)
  );
}

/**
 * Returns the number of Host headers. If there are multiple, each server along the path might use a
 * different one (RFC 9112, section 3.2).
 */
function countHosts({ rawHeaders }: HttpRequest): number {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
    .length;
}

/**
 * Adds the brackets around an IPv6 address that the HTTP/2 client of Node.js omits. gRPC clients use
 * it, and the RPC library can't parse the address without brackets.
 */
function addBrackets({ headers }: HttpRequest): void {
  const authority = String(headers[':authority']);
  const [, address = '', port = ''] = /^([\da-f:.]+):(\d{1,5})$/i.exec(authority) ?? [];
  if (isIPv6(address)) headers[':authority'] = `[${address}]:${port}`;
  else if (isIPv6(authority)) headers[':authority'] = `[${authority}]`;
}

/** Returns the first host name in the request that isn't one of the service's. */
function foreignHost(request: HttpRequest, hosts: ReadonlySet<string>): string | undefined {
  // HTTP/2 specifies the host in `:authority`, but a client can also send a `host` header.
  const names = [request.headers[':authority'], request.headers.host].filter(
    (name) => name !== undefined,
  );
  if (names.length === 0) return '';
  return names.map(String).find((name) => !isOurs(name, hosts));
}

function isOurs(authority: string, hosts: ReadonlySet<string>): boolean {
  const [, host, port] = AUTHORITY.exec(authority) ?? [];
  if (host === undefined || Number(port ?? 0) > MAX_PORT) return false;
  const name = bareHost(host);
  // A host name can be rebound to this computer, but an IP address can't. Behind a router, the IP
  // address can differ from the addresses of all interfaces.
  return hosts.has(name) || isLoopbackHost(name) || (isIP(name) !== 0 && !isUnspecified(name));
}

/** Returns a host name in lowercase, without the brackets around an IPv6 address. */
function bareHost(host: string): string {
  return host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
}

/** Returns true if a host name or address can only refer to this computer. */
export function isLoopbackHost(host: string): boolean {
  const name = bareHost(host);
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'));
}

/**
 * Returns true for wildcard addresses. Only pages that probe for open ports use these as a host.
 */
function isUnspecified(address: string): boolean {
  return /^[0.:]+$/.test(address);
}

/** Request headers that clients send in addition to the RPC protocols' headers. */
const OWN_REQUEST_HEADERS = [
  ...['authorization', 'viam_client', 'x-user-agent'],
  ...[REQUEST_ID_HEADER, TRACE_HEADER],
];
const PREFLIGHT_SECONDS = 7200;

const allowedHeaders = [...new Set([...cors.allowedHeaders, ...OWN_REQUEST_HEADERS])].join(', ');
const exposedHeaders = [...cors.exposedHeaders, REQUEST_ID_HEADER].join(', ');
const allowedMethods = cors.allowedMethods.join(', ');

/** Returns true for a browser's CORS preflight request. */
function isPreflight(request: HttpRequest): boolean {
  return (
    request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
  );
}

/** Allows pages of `origin` to read the response. */
function allowOrigin(response: HttpResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', exposedHeaders);
  response.setHeader('vary', 'origin');
}

/**
 * Sends a response with the methods and headers that a page can use. The origin must already be
 * allowed.
 */
function sendPreflightResponse(request: HttpRequest, response: HttpResponse): void {
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
