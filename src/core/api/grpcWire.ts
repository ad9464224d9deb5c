import { rootCertificates } from 'node:tls';
import type { Interceptor, Transport } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import type { DisposableLike } from '../../base/disposable';

const PING_INTERVAL_MS = 30_000;
const PING_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 5 * 60_000;
/** The service sends up to 64 MiB in a message. */
const READ_MAX_BYTES = 64 * 1024 * 1024;

/** One HTTP/2 connection to a service, shared by the transports that are opened on it. */
export interface GrpcWire extends DisposableLike {
  open(interceptors: Interceptor[]): Transport;
}

/**
 * gRPC over HTTP/2, with TLS for https addresses.
 * @param authorities certificate authorities (PEM) to trust besides the usual ones.
 */
export function createGrpcWire(baseUrl: string, authorities: readonly string[] = []): GrpcWire {
  const sessionManager = new Http2SessionManager(
    baseUrl,
    {
      pingIntervalMs: PING_INTERVAL_MS,
      pingTimeoutMs: PING_TIMEOUT_MS,
      idleConnectionTimeoutMs: IDLE_TIMEOUT_MS,
    },
    authorities.length === 0 ? undefined : { ca: [...rootCertificates, ...authorities] },
  );
  return {
    open: (interceptors) =>
      createGrpcTransport({ baseUrl, interceptors, sessionManager, readMaxBytes: READ_MAX_BYTES }),
    dispose: () => sessionManager.abort(),
  };
}
