import { getRequestPath, type HttpResponse, type HttpRoute } from '../server/http';
import type { ServiceHealth } from './serviceHealth';

/** Path at which the process reports that it is alive. */
const LIVENESS_PATH = '/healthz';
/** Path at which the service reports whether it can handle calls. */
const READINESS_PATH = '/readyz';

/**
 * Returns the route for probes that don't speak gRPC. `GET /healthz` responds with 200 as long as the
 * process responds. `GET /readyz` responds with the result of each check, and with 503 if the
 * service can't handle calls.
 */
export function healthRoute(health: ServiceHealth): HttpRoute {
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    switch (getRequestPath(request)) {
      case LIVENESS_PATH:
        sendJson(response, 200, { status: 'alive' });
        return true;
      case READINESS_PATH:
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
