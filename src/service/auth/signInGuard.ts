import { createHash } from 'node:crypto';
import type { ConnectError } from '@connectrpc/connect';
import type { Sleep } from '../../base/clock';
import type { Logger } from '../../base/logger';
import { toClientNetwork } from '../clientNetwork';
import { exhausted } from '../errors';

/**
 * Failures from one address, across all IDs, that are allowed before attempts are throttled, as a
 * multiple of those with one ID.
 */
const IDS_PER_ADDRESS = 10;

export interface SignInGuardOptions {
  readonly logger: Logger;
  readonly sleep: Sleep;
  readonly now?: () => number;
  /** Number of failures per ID and address before attempts are throttled; 10 if absent. */
  readonly freeFailures?: number | undefined;
}

/**
 * Throttles failing sign-ins over RPC and the MongoDB protocol by ID and address, and attempts with many IDs from one
 * address. Failures with other IDs at the same address never delay a correct credential. Logs the
 * start of each burst of failures, and logs again each time the number of failures has doubled. The
 * log contains no IDs, because users sometimes paste keys in place of IDs.
 */
export class SignInGuard {
  private readonly ofIds: LoginRateLimiter;
  private readonly ofAddresses: LoginRateLimiter;

  constructor(private readonly options: SignInGuardOptions) {
    const { sleep, now, freeFailures = FREE_FAILURES } = options;
    this.ofIds = new LoginRateLimiter(sleep, now, freeFailures);
    this.ofAddresses = new LoginRateLimiter(sleep, now, freeFailures * IDS_PER_ADDRESS);
  }

  /**
   * Checks a credential in its time slot.
   * @param address undefined for calls within the process, which are not limited
   * @param verify returns undefined for an incorrect credential
   * @throws ResourceExhausted if too many attempts are already waiting
   */
  async attempt<T>(
    id: string,
    address: string | undefined,
    signal: AbortSignal,
    verify: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    if (address === undefined) return verify();
    const network = toClientNetwork(address);
    const key = `${id} ${network}`;
    if (!(await this.ofIds.waitForAttempt(key, signal))) throw tooMany();
    const verified = await verify();
    if (verified !== undefined) {
      this.ofIds.succeeded(key);
      return verified;
    }
    this.ofIds.failed(key);
    const failures = this.ofAddresses.failed(network);
    const doublings = Math.log2(failures / FREE_FAILURES);
    if (doublings >= 0 && Number.isInteger(doublings)) {
      this.options.logger.warn('sign-ins failed', { address, failures });
    }
    if (!(await this.ofAddresses.waitForAttempt(network, signal))) throw tooMany();
    return undefined;
  }
}

function tooMany(): ConnectError {
  const message = 'too many failed sign-ins: check the key and its ID, and try again in a minute';
  return exhausted(message, RETENTION_MS);
}

interface Failures {
  count: number;
  /** Earliest time for the next attempt, in milliseconds according to the clock. */
  nextAt: number;
  /** Time at which the failures are cleared. */
  until: number;
}

/** Number of failures, such as typos, that are allowed before attempts are throttled. */
export const FREE_FAILURES = 10;
const SPACING_MS = 1_000;
const MAX_WAIT_MS = 10_000;
const RETENTION_MS = 60_000;
const MAX_TRACKED = 10_000;

/**
 * Login rate limiter. After a number of failures, processes only one attempt per second for the
 * same user from the same address. Also delays correct attempts, so that the delay reveals nothing.
 */
export class LoginRateLimiter {
  private readonly failures = new Map<string, Failures>();

  constructor(
    private readonly sleep: Sleep,
    private readonly now: () => number = () => performance.now(),
    private readonly freeFailures = FREE_FAILURES,
  ) {}

  /**
   * Waits for an attempt's time slot.
   * @returns false if too many attempts are waiting. The attempt must then be rejected without a
   *   check.
   */
  async waitForAttempt(key: string, signal: AbortSignal): Promise<boolean> {
    const failures = this.failures.get(toTrackedKey(key));
    const now = this.now();
    if (failures === undefined || failures.count < this.freeFailures || failures.until < now) {
      return true;
    }
    const at = Math.max(failures.nextAt, now);
    if (at - now > MAX_WAIT_MS) return false;
    failures.nextAt = at + SPACING_MS;
    await this.sleep(at - now, signal);
    return true;
  }

  /**
   * Records a failed attempt. Returns the number of consecutive failures that are less than a
   * minute apart.
   */
  failed(name: string): number {
    const key = toTrackedKey(name);
    const now = this.now();
    const known = this.failures.get(key);
    const count = known === undefined || known.until < now ? 0 : known.count;
    this.failures.delete(key);
    this.failures.set(key, {
      count: count + 1,
      nextAt: known?.nextAt ?? now,
      until: now + RETENTION_MS,
    });
    const [oldest] = this.failures.keys();
    if (this.failures.size > MAX_TRACKED && oldest !== undefined) this.failures.delete(oldest);
    return count + 1;
  }

  succeeded(key: string): void {
    this.failures.delete(toTrackedKey(key));
  }
}

/** Longer than an ID with an address. */
const MAX_KEY_LENGTH = 200;

/** Shortens long keys to a digest, because callers choose the IDs in them. */
function toTrackedKey(key: string): string {
  return key.length <= MAX_KEY_LENGTH ? key : createHash('sha256').update(key).digest('hex');
}
