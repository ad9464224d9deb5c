import { isIP, isIPv4 } from 'node:net';
import { type HttpRequest, type HttpResponse, pathOf, refuse } from './http';
import { allowOrigin, answerPreflight, isPreflight } from './cors';
import type { CountRejection } from './rejectionLog';

export interface RequestGuardOptions {
  /** Host names besides the loopback's that clients may call the service by; ports are ignored. */
  allowedHosts: readonly string[];
  /** Origins (`https://app.example.com`) whose pages may call the service. */
  allowedOrigins: readonly string[];
  /** Pages of the service itself, whose forms browsers send with its own origin. */
  ownPages?: OwnPages | undefined;
  countRejection: CountRejection;
}

export interface OwnPages {
  isPage: (path: string) => boolean;
  /** Where browsers reach them, when that is not the address that the service listens on. */
  publicUrl?: string | undefined;
}

/** Answers true when it has answered the request, so that nobody else may. */
export type RequestGuard = (request: HttpRequest, response: HttpResponse) => boolean;

const AUTHORITY = /^(\[[0-9a-f:.]+\]|[^\s:[\]/@]+)(?::(\d{1,5}))?$/i;
const HIGHEST_PORT = 65535;

/**
 * Refuses with 403 what a web page may have sent without its reader's knowledge: requests by a
 * host name that is not ours (a name rebound to this machine), and requests from an origin that is
 * not on the list. Requests without an Origin do not come from pages and pass, and so do the forms
 * of the service's own pages. Answers the CORS
 * preflights of listed origins.
 */
export function createRequestGuard(options: RequestGuardOptions): RequestGuard {
  const hosts = new Set(options.allowedHosts.map((host) => bareHost(host)));
  const origins = new Set(options.allowedOrigins.map((origin) => origin.toLowerCase()));

  const { countRejection } = options;
  return (request, response) => {
    if (countHosts(request) > 1) {
      countRejection('malformedHost');
      refuse(request, response, 400, 'The request has more than one Host header.');
      return true;
    }
    const host = foreignHost(request, hosts);
    if (host !== undefined) {
      countRejection('foreignHost');
      refuse(
        request,
        response,
        403,
        `The host name ${JSON.stringify(host)} is not allowed. Use --allow-host to allow it.`,
      );
      return true;
    }
    const origin = request.headers.origin;
    if (origin === undefined || (options.ownPages && isFromOwnPage(request, options.ownPages))) {
      return false;
    }
    if (!origins.has(origin.toLowerCase())) {
      countRejection('foreignOrigin');
      refuse(
        request,
        response,
        403,
        `The origin ${JSON.stringify(origin)} is not allowed. Use --allow-origin to allow it.`,
      );
      return true;
    }
    allowOrigin(response, origin);
    if (isPreflight(request)) {
      answerPreflight(request, response);
      return true;
    }
    return false;
  };
}

/** Whether a page of ours sends its form: by the name it was reached by, or by the public one. */
function isFromOwnPage(request: HttpRequest, { isPage, publicUrl }: OwnPages): boolean {
  const { origin = '', host } = request.headers;
  if (!isPage(pathOf(request))) {
    return false;
  }
  const from = URL.parse(origin);
  const reached = String(request.headers[':authority'] ?? host).toLowerCase();
  const isHttp = from?.protocol === 'http:' || from?.protocol === 'https:';
  return (
    (isHttp && from.host === reached) ||
    (publicUrl !== undefined && from?.origin === URL.parse(publicUrl)?.origin)
  );
}

/** How many Host headers a request has: servers on its way could each believe another one (RFC 9112, section 3.2). */
function countHosts({ rawHeaders }: HttpRequest): number {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
    .length;
}

/** The first name the request gives for this service that is not one of ours. */
function foreignHost(request: HttpRequest, hosts: ReadonlySet<string>): string | undefined {
  // HTTP/2 names the host in `:authority`, but a client can send a `host` besides.
  const names = [request.headers[':authority'], request.headers.host].filter(
    (name) => name !== undefined,
  );
  if (names.length === 0) {
    return '';
  }
  return names.map(String).find((name) => !isOurs(name, hosts));
}

function isOurs(authority: string, hosts: ReadonlySet<string>): boolean {
  const [, host, port] = AUTHORITY.exec(authority) ?? [];
  if (host === undefined || Number(port ?? 0) > HIGHEST_PORT) {
    return false;
  }
  const name = bareHost(host);
  // A name can be rebound to this machine. An address cannot, and behind a router it is not that of any interface.
  return hosts.has(name) || isLoopbackHost(name) || (isIP(name) !== 0 && !isUnspecified(name));
}

/** A name in small letters, without the brackets of an IPv6 address. */
function bareHost(host: string): string {
  return host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
}

/** Whether a host name or address can only mean the machine itself. */
export function isLoopbackHost(host: string): boolean {
  const name = bareHost(host);
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'));
}

/** Whether an address means "all addresses", by which only pages that look for open doors call. */
function isUnspecified(address: string): boolean {
  return /^[0.:]+$/.test(address);
}
