import { createServer as createHttp1Server } from 'node:http';
import {
  createSecureServer,
  createServer as createHttp2Server,
  type Http2SecureServer,
  type Http2Server,
} from 'node:http2';
import { createServer, type Server, type Socket } from 'node:net';
import type { HttpListener } from './http';

/** Certificate and key in PEM format. */
export interface TlsCertificate {
  cert: string;
  key: string;
}

/** Port for HTTP/1.1 and HTTP/2 that isn't listening yet. */
export interface PortListener {
  /** Server that listens. Its `connection` event provides the raw socket of every connection. */
  server: Server;
  /** Emits `session` for every HTTP/2 connection. */
  http2: Http2Server | Http2SecureServer;
  /** Closes connections that no HTTP/1.1 request is using. */
  closeIdleConnections(): void;
}

const KEEP_ALIVE_PROBE_MS = 60_000;
const MEBIBYTE = 1024 * 1024;

const SOCKET_OPTIONS = {
  noDelay: true,
  // Detects clients that disappeared without closing the connection, so that their leases and
  // streams end.
  keepAlive: true,
  keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
} as const;

const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Number of checks for late headers during one timeout. */
const HEAD_CHECKS = 2;

/**
 * Uploads and live streams can take any amount of time. Only incomplete headers cause a timeout.
 */
const http1Options = (headTimeoutMs: number) => ({
  requestTimeout: 0,
  headersTimeout: headTimeoutMs,
  connectionsCheckingInterval: headTimeoutMs / HEAD_CHECKS,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
});

/** Maximum number of concurrent calls per HTTP/2 connection. */
export const MAX_OPEN_CALLS = 1_000;

const HTTP2_OPTIONS = {
  // Memory limit per connection in MiB. It is enough for more than one message of the maximum size.
  // When the limit is exceeded, streams are rejected.
  maxSessionMemory: 512,
  // Limits on calls that a client cancels in any state, both as a burst and per second.
  // `ConnectionGuard` also limits calls that are canceled before they have a response.
  streamResetBurst: 10 * MAX_OPEN_CALLS,
  streamResetRate: MAX_OPEN_CALLS,
  settings: { initialWindowSize: MEBIBYTE, maxConcurrentStreams: MAX_OPEN_CALLS },
} as const;

/** Flow control window for an entire HTTP/2 connection, shared by all its streams. */
const CONNECTION_WINDOW_BYTES = 4 * MEBIBYTE;

/**
 * Creates a plaintext port for HTTP/1.1 and for HTTP/2 with prior knowledge (h2c).
 * @param headTimeoutMs timeout for a client to reveal its protocol, and then for a request's
 *   headers.
 */
export function createPlaintextListener(
  listener: HttpListener,
  headTimeoutMs: number,
): PortListener {
  const http1 = createHttp1Server(http1Options(headTimeoutMs), listener);
  const http2 = createHttp2Server(HTTP2_OPTIONS, listener);
  widenConnections(http2);
  // A server that accepts its own connections starts checking for late headers when it starts
  // listening. Here, another server accepts the connections, so the event must be emitted.
  http1.emit('listening');
  const undecided = new Set<Socket>();
  // An HTTP/1.1 client can close its half of the connection and still wait for the response.
  const server = createServer({ ...SOCKET_OPTIONS, allowHalfOpen: true }, (socket) => {
    undecided.add(socket);
    socket.once('close', () => undecided.delete(socket));
    detectProtocol(socket, headTimeoutMs, (protocol) => {
      undecided.delete(socket);
      if (protocol === 'http2') {
        // From this point on, both halves are closed together, without waiting for a disconnected
        // client.
        socket.allowHalfOpen = false;
        // The HTTP/2 server reads the buffered bytes itself. If the socket were resumed, the server
        // would receive the same bytes twice.
        http2.emit('connection', socket);
      } else {
        http1.emit('connection', socket);
        socket.resume();
      }
    });
  });
  server.once('close', () => http1.close());
  return {
    server,
    http2,
    closeIdleConnections() {
      undecided.forEach((socket) => socket.destroy());
      http1.closeIdleConnections();
    },
  };
}

/**
 * Creates a TLS port. The client and the server negotiate HTTP/2 or HTTP/1.1 in the handshake
 * (ALPN).
 * @param headTimeoutMs timeout for the handshake, and then for a request's headers.
 * @throws if the certificate or key is invalid, or they don't match.
 */
export function createTlsListener(
  listener: HttpListener,
  headTimeoutMs: number,
  tls: TlsCertificate,
): PortListener {
  const server = createSecureServer(
    {
      ...SOCKET_OPTIONS,
      ...http1Options(headTimeoutMs),
      ...HTTP2_OPTIONS,
      ...tls,
      allowHTTP1: true,
      handshakeTimeout: headTimeoutMs,
    },
    listener,
  );
  widenConnections(server);
  return {
    server,
    http2: server,
    closeIdleConnections() {
      (server as unknown as { closeIdleConnections(): void }).closeIdleConnections();
    },
  };
}

function widenConnections(server: Http2Server | Http2SecureServer): void {
  server.on('session', (session) => {
    session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
  });
}

export type Protocol = 'http1' | 'http2';

/** First bytes from an HTTP/2 client with prior knowledge (RFC 9113, section 3.4). */
const HTTP2_PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

/**
 * Reads just enough of a new plaintext connection to detect its protocol, puts the bytes back, and
 * passes on the connection. The connection is paused, so no bytes are lost before a listener is
 * added. A connection uses HTTP/1.1 if any byte differs from the HTTP/2 preface. Destroys a
 * connection if its protocol is still unknown after `timeoutMs` or when it is closed.
 */
function detectProtocol(
  socket: Socket,
  timeoutMs: number,
  handOver: (protocol: Protocol) => void,
): void {
  let head = Buffer.alloc(0);
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  timer.unref();

  const stop = (): void => {
    clearTimeout(timer);
    socket.off('data', read).off('end', abandon).off('error', abandon).off('close', stop);
  };
  const abandon = (): void => {
    socket.destroy();
  };
  const read = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk]);
    const protocol = identifyProtocol(head);
    if (protocol === undefined) return;
    stop();
    socket.pause();
    socket.unshift(head);
    handOver(protocol);
  };
  socket.on('data', read).on('end', abandon).on('error', abandon).on('close', stop);
}

function identifyProtocol(head: Buffer): Protocol | undefined {
  const seen = head.subarray(0, HTTP2_PREFACE.length);
  if (!HTTP2_PREFACE.subarray(0, seen.length).equals(seen)) return 'http1';
  return seen.length === HTTP2_PREFACE.length ? 'http2' : undefined;
}
