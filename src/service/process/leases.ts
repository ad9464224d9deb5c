import type { Writable } from 'node:stream';
import { type HttpRequest, type HttpResponse, pathOf, refuse } from '../server/http';

const LEASE_PATH = '/.fleetwright/lease';

export interface LeasesOptions {
  /** Whether an `authorization` header is good. */
  authenticate: (authorization: string | undefined) => Promise<boolean>;
  /** How long nobody may hold a lease before the service is unused; absent, it never is. */
  untilUnusedMs: number | undefined;
  /** Whether there is work that nobody has to watch: as long, the service is in use. */
  isBusy: () => boolean;
  /** Called once at most. */
  onUnused: () => void;
}

/**
 * Counts who needs the service. A lease is an open `GET /.fleetwright/lease` with a bearer token;
 * it ends with its connection, so a client that crashes cannot forget to give it back.
 */
export class Leases {
  readonly #held = new Set<HttpResponse>();
  #closed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: LeasesOptions) {}

  /** Starts to wait for the first lease. */
  start(): void {
    this.#waitUntilUnused();
  }

  /** Ends all leases, and gives no new ones. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#held.forEach((response) => response.end());
  }

  readonly route = (request: HttpRequest, response: HttpResponse): boolean => {
    if (pathOf(request) !== LEASE_PATH) {
      return false;
    }
    void this.#answer(request, response);
    return true;
  };

  async #answer(request: HttpRequest, response: HttpResponse): Promise<void> {
    if (request.method !== 'GET') {
      response.setHeader('allow', 'GET');
      refuse(request, response, 405, 'Use GET to request a lease.');
      return;
    }
    const isGood = await this.options
      .authenticate(request.headers.authorization)
      .catch(() => false);
    if (!isGood) {
      response.setHeader('www-authenticate', 'Bearer');
      refuse(request, response, 401, 'A lease needs a valid bearer token.');
    } else if (this.#closed) {
      refuse(request, response, 503, 'The service is stopping. Start it again.');
    } else if (!response.destroyed) {
      this.#hold(response);
    }
  }

  #hold(response: HttpResponse): void {
    clearTimeout(this.#timer);
    this.#held.add(response);
    response.once('close', () => {
      this.#held.delete(response);
      this.#waitUntilUnused();
    });
    response.statusCode = 200;
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    response.setHeader('cache-control', 'no-store');
    // Sends the head too: the client knows that it holds the lease.
    const body: Writable = response;
    body.write('held\n');
  }

  #waitUntilUnused(): void {
    const { untilUnusedMs, isBusy, onUnused } = this.options;
    if (untilUnusedMs !== undefined && !this.#closed && this.#held.size === 0) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => {
        if (isBusy()) {
          this.#waitUntilUnused();
        } else {
          onUnused();
        }
      }, untilUnusedMs);
    }
  }
}
