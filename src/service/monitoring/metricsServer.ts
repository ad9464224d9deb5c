import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../../base/logger';
import { getRequestPath, rejectRequest } from '../server/http';
import { createRequestGuard } from '../server/requestGuard';
import type { Metrics, MetricSources } from './metrics';

export interface MetricsServerOptions {
  readonly host: string;
  /** Port to listen on; 0 for any free port. */
  readonly port: number;
  /** Host names that clients can use, in addition to IP addresses and loopback names. */
  readonly allowedHosts: readonly string[];
  readonly metrics: Metrics;
  readonly sources: MetricSources;
  readonly logger: Logger;
}

export interface MetricsServer extends AsyncDisposable {
  /** Port that the server listens on. */
  readonly port: number;
}

const METRICS_PATH = '/metrics';
/**
 * Far more connections than a monitoring system opens. Connections use the file descriptors of the
 * whole service, and callers don't have to sign in.
 */
const MAX_CONNECTIONS = 100;
/** Time in milliseconds in which the headers of a request must arrive. */
const HEAD_TIMEOUT_MS = 10_000;
const SERVER_OPTIONS = {
  headersTimeout: HEAD_TIMEOUT_MS,
  requestTimeout: HEAD_TIMEOUT_MS,
  connectionsCheckingInterval: HEAD_TIMEOUT_MS / 2,
} as const;

/**
 * Serves `GET /metrics` on a port of its own, without authentication, so that it can be reachable
 * only from the monitoring system.
 * @throws the system's error (`EADDRINUSE`, …) if it can't listen on the port.
 */
export async function startMetricsServer(options: MetricsServerOptions): Promise<MetricsServer> {
  const { host, port, allowedHosts, metrics, sources, logger } = options;
  const guard = createRequestGuard({
    allowedHosts,
    allowedOrigins: [],
    countRejection: (reason) => metrics.reject(reason),
  });
  // Concurrent scrapes share one measurement, so that they can't overload the service.
  let scrape: Promise<string> | undefined;
  const server = createServer(SERVER_OPTIONS, (request, response) => {
    if (guard(request, response)) return;
    if (getRequestPath(request) !== METRICS_PATH) {
      rejectRequest(request, response, 404, `Use ${METRICS_PATH}.`);
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      rejectRequest(request, response, 405, 'Use GET to read metrics.');
      return;
    }
    scrape ??= metrics.format(sources).finally(() => (scrape = undefined));
    scrape.then(
      (text) => {
        response.setHeader('content-type', metrics.contentType);
        response.setHeader('cache-control', 'no-store');
        response.end(text);
      },
      (error: unknown) => {
        logger.error('metrics could not be collected', { error: String(error) });
        rejectRequest(request, response, 500, 'The metrics could not be collected.');
      },
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen({ host, port });
  await once(server, 'listening');
  // An error without a listener would end the service.
  server.on('error', (error) => {
    logger.error('the metrics port failed', { error: error.message });
  });
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
