import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Code, ConnectError, type ConnectRouter, type Interceptor } from '@connectrpc/connect';
import type { Logger } from '../../base/logger';
import type { LongWork } from '../../base/longWork';
import type { BodyTimeouts } from './bodySource';
import {
  CONNECTION_LIMITS,
  ConnectionGuard,
  type ConnectionLimits,
  type CountRejection,
  RejectionLog,
} from './connectionGuard';
import {
  getRequestPath,
  type HttpListener,
  type HttpRequest,
  type HttpResponse,
  type HttpRoute,
  rejectRequest,
} from './http';
import {
  CallContext,
  type CallIdentity,
  readCallIdentity,
  REQUEST_ID_HEADER,
  TRACE_HEADER,
} from './callIdentity';
import { type CallObserver, type CallTracer, logInternalError } from './callRecord';
import {
  createPlaintextListener,
  createTlsListener,
  type PortListener,
  type TlsCertificate,
} from './portListener';
import type { BudgetLoad } from './fairBudget';
import type { FindMessageLimit } from './messageLimits';
import { isProbe, type RateLimitOptions, RateLimits } from './rateLimits';
import type { RequestMemory } from './callMemory';
import { createRequestGuard, type OwnPages } from './requestGuard';
import { type Admit, createRequestMemory, createRpcListener } from './rpcListener';
import { TrustedProxies } from './trustedProxies';

export interface FleetServerOptions {
  /** Host name or address to listen on. */
  host: string;
  /** Port to listen on; 0 for any free port. */
  port: number;
  /** Certificate for TLS. If absent, the port uses plaintext. */
  tls?: TlsCertificate | undefined;
  routes: (router: ConnectRouter) => void;
  interceptors: readonly Interceptor[];
  /**
   * Identifies the caller before the body is read. If absent, callers are authenticated only by the
   * interceptors.
   */
  admit?: Admit | undefined;
  /** Plain HTTP routes, which are tried in this order before the RPCs. */
  httpRoutes?: readonly HttpRoute[];
  /**
   * Host names that clients can use to call the service, in addition to loopback names and `host`.
   */
  allowedHosts?: readonly string[];
  /** Origins whose pages can call the service. */
  allowedOrigins?: readonly string[];
  /** Pages that plain HTTP routes serve. Forms on these pages can be submitted. */
  ownPages?: OwnPages | undefined;
  /** Timeout for a client to send its first bytes, and then for each request's headers. */
  headTimeoutMs?: number;
  /**
   * Addresses and networks of proxies. The clients of other addresses can't state another address by
   * a header. If absent, no proxy is trusted.
   */
  trustedProxies?: readonly string[] | undefined;
  /** Limits on open connections; if absent, the defaults. */
  connectionLimits?: ConnectionLimits | undefined;
  /** Returns a method's request message limits. If absent, the service's own limits apply. */
  findLimit?: FindMessageLimit | undefined;
  /** Timeouts for request bodies; if absent, the defaults. */
  bodyTimeouts?: BodyTimeouts | undefined;
  /** Limits on the number of calls and requests. If absent, they aren't limited. */
  rateLimits?: RateLimitOptions | undefined;
  /** Memory for request messages. If absent, a share of this computer's memory is used. */
  requestMemory?: RequestMemory | undefined;
  /**
   * Runs the decoding of large messages. If absent, decoding is scheduled separately from other
   * long-running work.
   */
  longWork?: LongWork | undefined;
  /** Provides the identity of each call to the logger. If absent, only some lines contain it. */
  callContext?: CallContext | undefined;
  /** Observes calls and rejections, for metrics. */
  observer?: ServerObserver | undefined;
  /** Records calls in distributed traces. */
  tracer?: CallTracer | undefined;
  logger: Logger;
}

export interface ServerObserver extends CallObserver {
  /** Called for each request or connection that is rejected before it reaches a method. */
  reject: CountRejection;
}

/** Number of connections, and memory for request messages. */
export interface ServerLoad {
  readonly connections: number;
  readonly memory: Readonly<Record<'unknown' | 'small' | 'large', BudgetLoad>>;
}

export interface FleetServer {
  /** URL for clients on this computer, without a trailing slash. */
  url: string;
  /** Returns the current load. */
  measure(): ServerLoad;
  /**
   * Closes the server gracefully. Stops accepting connections, notifies clients to disconnect, lets
   * calls in progress finish, aborts streams that are still open, and finally destroys the
   * remaining connections. Nothing is open afterward.
   */
  close(): Promise<void>;
}

const HEAD_TIMEOUT_MS = 20_000;
const FORM_TIMEOUT_MS = 60_000;
/** Duration of one year. During this time, browsers never send a key to this host in plaintext. */
const TRANSPORT_SECURITY = 'max-age=31536000';
/**
 * Time in milliseconds that calls have to finish after closing has started. After this time, their
 * signals are aborted.
 */
const FINISHING_MS = 500;
/** Time in milliseconds from the start of closing until all remaining connections are destroyed. */
const DESTROYING_MS = 5_000;
const IDLE_CHECK_MS = 50;
const ANY_IPV4 = '0.0.0.0';
const ANY_IPV6 = '::';

/**
 * Serves RPCs and plain routes on one port, behind the Host and Origin guard.
 * @throws the system's error (`EADDRINUSE`, …) if it can't listen on the port, or if the
 *   certificate can't be used.
 */
export async function startFleetServer(options: FleetServerOptions): Promise<FleetServer> {
  const shutdown = new AbortController();
  const rejections = new RejectionLog(options.logger);
  const countRejection: CountRejection = (reason) => {
    rejections.count(reason);
    options.observer?.reject(reason);
  };
  const { requestMemory = createRequestMemory() } = options;
  const proxies = new TrustedProxies(options.trustedProxies ?? []);
  const listener = createRequestListener(
    { ...options, requestMemory },
    shutdown.signal,
    countRejection,
    proxies,
  );
  const { tls, headTimeoutMs = HEAD_TIMEOUT_MS, connectionLimits = CONNECTION_LIMITS } = options;
  const port = tls
    ? createTlsListener(listener, headTimeoutMs, tls)
    : createPlaintextListener(listener, headTimeoutMs);
  const connections = new ConnectionGuard(
    port,
    connectionLimits,
    headTimeoutMs,
    countRejection,
    proxies,
  );

  port.server.listen({ host: options.host, port: options.port });
  await once(port.server, 'listening');
  port.server.on('error', (error) => {
    options.logger.error('the port failed', { error: error.message });
  });
  const address = port.server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://${reachableHost(options.host)}:${address.port}`,
    measure: () => ({
      connections: connections.sockets.size,
      memory: {
        unknown: requestMemory.unknown.load,
        small: requestMemory.small.load,
        large: requestMemory.large.load,
      },
    }),
    close: async () => {
      await drain(port, connections, shutdown);
      rejections.flush();
    },
  };
}

function createRequestListener(
  { logger, ...options }: FleetServerOptions,
  shutdownSignal: AbortSignal,
  countRejection: CountRejection,
  proxies: TrustedProxies,
): HttpListener {
  const guard = createRequestGuard({
    countRejection,
    allowedHosts: [
      ...(isWildcard(options.host) ? [] : [options.host]),
      ...(options.allowedHosts ?? []),
    ],
    allowedOrigins: options.allowedOrigins ?? [],
    ownPages: options.ownPages,
  });
  const rateLimits = new RateLimits(options.rateLimits, countRejection);
  const takeKey = (id: string) => rateLimits.takeKey(id);
  const serveRpc = createRpcListener({
    ...options,
    rateLimits,
    callObserver: options.observer,
    logger,
    shutdownSignal,
    countRejection,
  });
  const { httpRoutes: routes = [], callContext = new CallContext() } = options;
  const handle = (request: HttpRequest, response: HttpResponse, identity: CallIdentity): void => {
    if (options.tls) response.setHeader('strict-transport-security', TRANSPORT_SECURITY);
    try {
      if (guard(request, response)) return;
      const address = proxies.findClient(request);
      const excess = isProbe(getRequestPath(request)) ? undefined : rateLimits.takeAddress(address);
      const client = { address, takeKey };
      if (excess === undefined && routes.some((route) => route(request, response, client))) {
        limitFormTime(request, response);
      } else {
        serveRpc(request, response, { identity, address, excess });
      }
    } catch (error) {
      const message = logInternalError(logger, `${request.method ?? ''} request`, error, identity);
      if (response.headersSent) {
        response.destroy();
      } else {
        rejectRequest(request, response, 500, message);
      }
    }
  };
  return (request, response) => {
    const { headers } = request;
    const received = readCallIdentity(headers);
    const identity =
      options.tracer?.identify(received, headers[TRACE_HEADER]?.toString()) ?? received;
    response.setHeader(REQUEST_ID_HEADER, identity.requestId);
    callContext.run(identity, () => handle(request, response, identity));
  };
}

/** Closes the connection if a form's body doesn't arrive in time. */
function limitFormTime(request: HttpRequest, response: HttpResponse): void {
  if (request.method !== 'POST') return;
  const timer = setTimeout(() => {
    if (!request.readableEnded) request.destroy();
  }, FORM_TIMEOUT_MS);
  timer.unref();
  response.once('close', () => clearTimeout(timer));
}

async function drain(
  port: PortListener,
  { sockets, sessions }: ConnectionGuard,
  shutdown: AbortController,
): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    port.server.close(() => {
      resolve();
    });
  });
  sessions.forEach((session) => {
    session.close();
  });
  port.closeIdleConnections();
  // An HTTP/1.1 connection becomes idle when its response has been sent, and would otherwise stay
  // open.
  const closingIdle = setInterval(() => {
    port.closeIdleConnections();
  }, IDLE_CHECK_MS);
  const aborting = setTimeout(() => {
    shutdown.abort(new ConnectError('the fleet service is stopping', Code.Unavailable));
  }, FINISHING_MS);
  const destroying = setTimeout(() => {
    sockets.forEach((socket) => socket.destroy());
  }, DESTROYING_MS);
  await closed;
  clearInterval(closingIdle);
  clearTimeout(aborting);
  clearTimeout(destroying);
}

/**
 * Returns the host to use in a URL. It replaces wildcard addresses, which clients can't connect to.
 */
function reachableHost(host: string): string {
  if (isWildcard(host)) return host === ANY_IPV6 ? '[::1]' : '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function isWildcard(host: string): boolean {
  return host === ANY_IPV4 || host === ANY_IPV6;
}
