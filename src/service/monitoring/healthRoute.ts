import { getRequestPath, type HttpResponse, type HttpRoute } from '../server/http';
import { PROBE_PATHS } from '../server/rateLimits';
import type { ServiceHealth } from './serviceHealth';

/**
 * Returns the route for probes that don't speak gRPC. `GET /healthz` responds with 200 as long as the
 * process responds. `GET /readyz` responds with the result of each check, and with 503 if the
 * service can't handle calls.
 */
export function healthRoute(health: ServiceHealth): HttpRoute {
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    switch (getRequestPath(request)) {
      case PROBE_PATHS.liveness:
        sendJson(response, 200, { status: 'alive' });
        return true;
      case PROBE_PATHS.readiness:
        void health
          .report()
          .then((report) => sendJson(response, report.status === 'ready' ? 200 : 503, report));
        return true;
      default:
        return false;
    }
  };
}

function sendJson(response: HttpResponse, status: number, value: object): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json');
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  response.end(`${JSON.stringify(value)}\n`);
}
