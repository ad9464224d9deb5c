import { createServer as createHttp1Server } from 'node:http';
import {
  createSecureServer,
  createServer as createHttp2Server,
  type Http2SecureServer,
  type Http2Server,
} from 'node:http2';
import { createServer, type Server, type Socket } from 'node:net';
import type { HttpListener } from './http';
import { detectProtocol } from './protocolDetection';

/** PEM texts. */
export interface TlsCertificate {
  cert: string;
  key: string;
}

/** A port that speaks HTTP/1.1 and HTTP/2, not listening yet. */
export interface PortListener {
  /** What listens; its `connection` event gives the raw socket of every connection. */
  server: Server;
  /** What emits `session` for every HTTP/2 connection. */
  http2: Http2Server | Http2SecureServer;
  /** Ends connections that no HTTP/1.1 request uses at the moment. */
  closeIdleConnections(): void;
}

const KEEP_ALIVE_PROBE_MS = 60_000;
const MEBIBYTE = 1024 * 1024;

const SOCKET_OPTIONS = {
  noDelay: true,
  // Finds clients that vanished without a word, so that their leases and streams end.
  keepAlive: true,
  keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
} as const;

const KEPT_ALIVE_MS = 65_000;
/** How often in the time for a head Node looks for late ones. */
const HEAD_CHECKS = 4;

/** Uploads and live streams take as long as they take; only a head that never ends is cut off. */
const http1Options = (headTimeoutMs: number) => ({
  requestTimeout: 0,
  headersTimeout: headTimeoutMs,
  connectionsCheckingInterval: headTimeoutMs / HEAD_CHECKS,
  keepAliveTimeout: KEPT_ALIVE_MS,
});

/** Calls of one HTTP/2 connection at a time. */
export const MAX_OPEN_CALLS = 1_000;

const HTTP2_OPTIONS = {
  // In MiB a connection: several messages of the largest size at once, before streams are refused.
  maxSessionMemory: 512,
  // Calls that a client cancels, at once and in a second, whatever their state; `ConnectionGuard` limits those that
  // were not answered yet.
  streamResetBurst: 10 * MAX_OPEN_CALLS,
  streamResetRate: MAX_OPEN_CALLS,
  settings: { initialWindowSize: MEBIBYTE, maxConcurrentStreams: MAX_OPEN_CALLS },
} as const;

/** The flow control window of a whole HTTP/2 connection, over all its streams. */
const CONNECTION_WINDOW_BYTES = 4 * MEBIBYTE;

/**
 * One plaintext port for HTTP/1.1 and for HTTP/2 with prior knowledge (h2c).
 * @param headTimeoutMs how long a client may take to say its protocol, and then a request's head.
 */
export function createPlaintextListener(
  listener: HttpListener,
  headTimeoutMs: number,
): PortListener {
  const http1 = createHttp1Server(http1Options(headTimeoutMs), listener);
  const http2 = createHttp2Server(HTTP2_OPTIONS, listener);
  widenConnections(http2);
  // A server made for connections of its own watches for late heads once it listens; ours are
  // accepted by another one.
  http1.emit('listening');
  const undecided = new Set<Socket>();
  // An HTTP/1.1 client may end its half of the connection and still wait for the answer.
  const server = createServer({ ...SOCKET_OPTIONS, allowHalfOpen: true }, (socket) => {
    undecided.add(socket);
    socket.once('close', () => undecided.delete(socket));
    detectProtocol(socket, headTimeoutMs, (protocol) => {
      undecided.delete(socket);
      if (protocol === 'http2') {
        // Both halves are closed together: a client that was cut off is not waited for.
        socket.allowHalfOpen = false;
        // Reads what is waiting by itself; resumed, the socket would feed it the same bytes twice.
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
 * One TLS port; client and server agree on HTTP/2 or HTTP/1.1 in the handshake (ALPN).
 * @param headTimeoutMs how long a client may take for the handshake, and then for a request's head.
 * @throws when the certificate or the key is not one, or they do not belong together.
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
