import type { Writable } from 'node:stream';
import { type HttpRequest, type HttpResponse, getRequestPath, rejectRequest } from '../server/http';

const LEASE_PATH = '/.fleetwright/lease';

export interface LeasesOptions {
  /** Resolves to true if an `authorization` header is valid. */
  authenticate: (authorization: string | undefined) => Promise<boolean>;
  /**
   * Time without leases after which the service is considered unused. If absent, the service is
   * never considered unused.
   */
  idleTimeoutMs: number | undefined;
  /**
   * Returns true while unattended work is in progress. During this time, the service is considered
   * in use.
   */
  isBusy: () => boolean;
  /** Called at most once, when the service is unused. */
  onUnused: () => void;
  /** Calls a function after a time; returns a function that cancels the call. */
  startTimer?: (call: () => void, delayMs: number) => () => void;
}

/**
 * Counts the clients that are using the service. A lease is an open `GET /.fleetwright/lease`
 * request with a bearer token. The lease ends when its connection is closed, so a crashed client
 * can't leak it.
 */
export class Leases {
  private readonly held = new Set<HttpResponse>();
  private closed = false;
  private cancelTimer = (): void => undefined;

  constructor(private readonly options: LeasesOptions) {}

  /** Starts waiting for the first lease. */
  start(): void {
    this.waitUntilUnused();
  }

  /** Ends all leases and grants no new ones. */
  close(): void {
    this.closed = true;
    this.cancelTimer();
    this.held.forEach((response) => response.end());
  }

  readonly route = (request: HttpRequest, response: HttpResponse): boolean => {
    if (getRequestPath(request) !== LEASE_PATH) return false;
    void this.answer(request, response);
    return true;
  };

  private async answer(request: HttpRequest, response: HttpResponse): Promise<void> {
    if (request.method !== 'GET') {
      response.setHeader('allow', 'GET');
      rejectRequest(request, response, 405, 'Use GET to request a lease.');
      return;
    }
    const isGood = await this.options
      .authenticate(request.headers.authorization)
      .catch(() => false);
    if (!isGood) {
      response.setHeader('www-authenticate', 'Bearer');
      rejectRequest(request, response, 401, 'A lease needs a valid bearer token.');
    } else if (this.closed) {
      rejectRequest(request, response, 503, 'The service is stopping. Start it again.');
    } else if (!response.destroyed) {
      this.hold(response);
    }
  }

  private hold(response: HttpResponse): void {
    this.cancelTimer();
    this.held.add(response);
    response.once('close', () => {
      this.held.delete(response);
      this.waitUntilUnused();
    });
    response.statusCode = 200;
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    response.setHeader('cache-control', 'no-store');
    // Writing also sends the headers, which confirm to the client that the lease was granted.
    const body: Writable = response;
    body.write('held\n');
  }

  private waitUntilUnused(): void {
    const { idleTimeoutMs, isBusy, onUnused, startTimer = startRealTimer } = this.options;
    if (idleTimeoutMs === undefined || this.closed || this.held.size > 0) return;
    this.cancelTimer();
    this.cancelTimer = startTimer(() => {
      if (isBusy()) {
        this.waitUntilUnused();
      } else {
        // A client that still requests a lease is rejected, so that it starts the service again.
        this.close();
        onUnused();
      }
    }, idleTimeoutMs);
  }
}

function startRealTimer(call: () => void, delayMs: number): () => void {
  const timer = setTimeout(call, delayMs);
  return () => clearTimeout(timer);
}
