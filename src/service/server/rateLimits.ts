import type { ConnectError } from '@connectrpc/connect';
import { toClientNetwork } from '../clientNetwork';
import { exhausted } from '../errors';
import { Health } from '../../gen/grpc/health/v1/health_pb';
import type { CountRejection } from './connectionGuard';

/** Maximum sustained number of calls per second. If absent, the number isn't limited. */
export interface RateLimitOptions {
  readonly perKey: number | undefined;
  readonly perAddress: number | undefined;
}

/** Size of a burst, as a multiple of the calls per second. */
const BURST_SECONDS = 10;
const MS_PER_SECOND = 1_000;
/** Maximum number of callers that are tracked at the same time, each with about 200 bytes. */
const MAX_TRACKED = 10_000;

/** Paths of probes that don't speak gRPC. */
export const PROBE_PATHS = { liveness: '/healthz', readiness: '/readyz' } as const;

/**
 * Returns true for the path of a probe. Probes aren't limited, because a load balancer would treat a
 * service that rejects them as failed.
 */
export function isProbe(path: string): boolean {
  return (
    path === PROBE_PATHS.liveness ||
    path === PROBE_PATHS.readiness ||
    path.startsWith(`/${Health.typeName}/`)
  );
}

interface Bucket {
  tokens: number;
  /** Time of the last refill in milliseconds, according to the clock. */
  refilledAt: number;
}

/**
 * Token buckets by name. Tracks a bounded number of names, and drops the one whose last call was
 * longest ago, which usually has a full bucket anyway.
 */
export class RateLimiter {
  private readonly buckets = new Map<string, Bucket>();
  private readonly burst: number;

  constructor(
    private readonly perSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.burst = perSecond * BURST_SECONDS;
  }

  /** Number of names that are tracked. */
  get size(): number {
    return this.buckets.size;
  }

  /** Counts a call. Returns 0, or the time in milliseconds until the next call is allowed. */
  take(name: string): number {
    const now = this.now();
    const bucket = this.buckets.get(name) ?? { tokens: this.burst, refilledAt: now };
    const regained = ((now - bucket.refilledAt) / MS_PER_SECOND) * this.perSecond;
    bucket.tokens = Math.min(this.burst, bucket.tokens + regained);
    bucket.refilledAt = now;
    // Moves the name to the end, because the first one is dropped.
    this.buckets.delete(name);
    this.buckets.set(name, bucket);
    const [oldest] = this.buckets.keys();
    if (this.buckets.size > MAX_TRACKED && oldest !== undefined) this.buckets.delete(oldest);
    if (bucket.tokens < 1) return ((1 - bucket.tokens) / this.perSecond) * MS_PER_SECOND;
    bucket.tokens -= 1;
    return 0;
  }
}

/** Limits on the number of calls per API key or machine, and per address. */
export class RateLimits {
  private readonly byKey: RateLimiter | undefined;
  private readonly byAddress: RateLimiter | undefined;

  /** @param options absent to allow any number of calls */
  constructor(
    private readonly options: RateLimitOptions | undefined,
    private readonly countRejection: CountRejection,
  ) {
    const { perKey, perAddress } = options ?? {};
    this.byKey = perKey === undefined ? undefined : new RateLimiter(perKey);
    this.byAddress = perAddress === undefined ? undefined : new RateLimiter(perAddress);
  }

  /** Counts a call from an address. Returns an error if there are too many. */
  takeAddress(address: string | undefined): ConnectError | undefined {
    const waitMs = this.byAddress?.take(toClientNetwork(address ?? '')) ?? 0;
    if (waitMs === 0) return undefined;
    this.countRejection('tooManyCallsOfAddress');
    return tooManyCalls('too many calls from this address', this.options?.perAddress, waitMs);
  }

  /** Counts a call with an API key, or of a machine. Returns an error if there are too many. */
  takeKey(id: string): ConnectError | undefined {
    const waitMs = this.byKey?.take(id) ?? 0;
    if (waitMs === 0) return undefined;
    this.countRejection('tooManyCallsOfKey');
    return tooManyCalls('too many calls with these credentials', this.options?.perKey, waitMs);
  }
}

function tooManyCalls(
  problem: string,
  perSecond: number | undefined,
  waitMs: number,
): ConnectError {
  return exhausted(
    `${problem}: make at most ${String(perSecond)} per second, and try again later`,
    waitMs,
  );
}
