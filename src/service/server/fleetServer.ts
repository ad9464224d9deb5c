import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Code, ConnectError, type ConnectRouter, type Interceptor } from '@connectrpc/connect';
import type { Logger } from '../../base/logger';
import type { LongWork } from '../../base/longWork';
import type { BodyTimeouts } from './bodySource';
import { CONNECTION_LIMITS, ConnectionGuard, type ConnectionLimits } from './connectionGuard';
import {
  type HttpListener,
  type HttpRequest,
  type HttpResponse,
  type HttpRoute,
  refuse,
} from './http';
import { logInternalError } from './internalErrorInterceptor';
import {
  createPlaintextListener,
  createTlsListener,
  type PortListener,
  type TlsCertificate,
} from './portListener';
import type { FindMessageLimit } from './messageLimits';
import { type CountRejection, RejectionLog } from './rejectionLog';
import type { RequestMemory } from './requestMessages';
import { createRequestGuard, type OwnPages } from './requestGuard';
import { type Admit, createRpcListener } from './rpcListener';

export interface FleetServerOptions {
  /** Name or address to listen on. */
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** Absent, the port speaks plaintext. */
  tls?: TlsCertificate | undefined;
  routes: (router: ConnectRouter) => void;
  interceptors: readonly Interceptor[];
  /** Finds out who calls before a body is read; absent, the interceptors alone decide. */
  admit?: Admit | undefined;
  /** Asked in this order before the RPCs. */
  httpRoutes?: readonly HttpRoute[];
  /** Host names that clients may call the service by, besides the loopback's and `host`. */
  allowedHosts?: readonly string[];
  /** Origins whose pages may call the service. */
  allowedOrigins?: readonly string[];
  /** Pages among the plain routes whose forms may be sent. */
  ownPages?: OwnPages | undefined;
  /** How long a client may take to send the first bytes, and then the head of a request. */
  headTimeoutMs?: number;
  /** How many connections can be open; absent, as is usual. */
  connectionLimits?: ConnectionLimits | undefined;
  /** The limits of request messages; absent, those of the service. */
  findLimit?: FindMessageLimit | undefined;
  /** How long bodies may take; absent, as is usual. */
  bodyTimeouts?: BodyTimeouts | undefined;
  /** Memory for request messages; absent, a share of what the machine has. */
  requestMemory?: RequestMemory | undefined;
  /** Runs the decoding of large messages; absent, apart from other long work. */
  longWork?: LongWork | undefined;
  logger: Logger;
}

export interface FleetServer {
  /** Where clients on this machine reach the service, without a slash at the end. */
  url: string;
  /**
   * Takes no new connections, tells clients to go, lets calls that are under way finish, then
   * aborts the streams that go on, and at last destroys what is left. Nothing is open afterwards.
   */
  close(): Promise<void>;
}

const HEAD_TIMEOUT_MS = 20_000;
const FORM_TIMEOUT_MS = 60_000;
/** A year: browsers then never send a key to this host in plaintext. */
const TRANSPORT_SECURITY = 'max-age=31536000';
/** How long calls may go on undisturbed after close, before their signals abort. */
const FINISHING_MS = 500;
/** How long after close every connection is destroyed. */
const DESTROYING_MS = 5_000;
const IDLE_CHECK_MS = 50;
const ANY_IPV4 = '0.0.0.0';
const ANY_IPV6 = '::';

/**
 * Serves RPCs and plain routes on one port, behind the Host and Origin guard.
 * @throws the system's error (`EADDRINUSE`, …) when the port cannot be listened on, and when the
 * certificate cannot be used.
 */
export async function startFleetServer(options: FleetServerOptions): Promise<FleetServer> {
  const shutdown = new AbortController();
  const rejections = new RejectionLog(options.logger);
  const listener = createRequestListener(options, shutdown.signal, rejections.count);
  const { tls, headTimeoutMs = HEAD_TIMEOUT_MS, connectionLimits = CONNECTION_LIMITS } = options;
  const port = tls
    ? createTlsListener(listener, headTimeoutMs, tls)
    : createPlaintextListener(listener, headTimeoutMs);
  const connections = new ConnectionGuard(
    ...([port, connectionLimits, headTimeoutMs, rejections.count] as const),
  );

  port.server.listen({ host: options.host, port: options.port });
  await once(port.server, 'listening');
  port.server.on('error', (error) => {
    options.logger.error('the port failed', { error: error.message });
  });
  const address = port.server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://${reachableHost(options.host)}:${address.port}`,
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
  const serveRpc = createRpcListener({ ...options, logger, shutdownSignal, countRejection });
  const routes = options.httpRoutes ?? [];
  return (request, response) => {
    if (options.tls) response.setHeader('strict-transport-security', TRANSPORT_SECURITY);
    try {
      if (guard(request, response)) return;
      if (routes.some((route) => route(request, response))) limitFormTime(request, response);
      else serveRpc(request, response);
    } catch (error) {
      const message = logInternalError(logger, `${request.method ?? ''} request`, error);
      if (response.headersSent) {
        response.destroy();
      } else {
        refuse(request, response, 500, message);
      }
    }
  };
}

/** Closes the connection of a form that does not arrive in time. */
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
  // A connection of HTTP/1.1 falls idle when its answer is sent, and would then be kept alive.
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

/** The host to put into a URL: an address that means "all" is none to call. */
function reachableHost(host: string): string {
  if (isWildcard(host)) {
    return host === ANY_IPV6 ? '[::1]' : '127.0.0.1';
  }
  return host.includes(':') ? `[${host}]` : host;
}

function isWildcard(host: string): boolean {
  return host === ANY_IPV4 || host === ANY_IPV6;
}
