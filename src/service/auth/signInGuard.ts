import { Code, ConnectError } from '@connectrpc/connect';
import type { Sleep } from '../../base/clock';
import type { Logger } from '../../base/logger';
import { FREE_FAILURES, LoginRateLimiter } from './loginRateLimiter';

/**
 * Number of failures from one address, for all IDs, that are allowed before attempts are throttled.
 */
const FREE_FAILURES_OF_ADDRESS = 100;

export interface SignInGuardOptions {
  readonly logger: Logger;
  readonly sleep: Sleep;
  readonly now?: () => number;
}

/**
 * Throttles failing sign-ins over RPC by ID and address, and attempts with many IDs from one
 * address. Failures with other IDs at the same address never delay a correct credential. Logs each
 * burst of failures at its start and each time the number of failures has doubled. The log contains
 * no IDs, because users sometimes paste keys in place of IDs.
 */
export class SignInGuard {
  private readonly ofIds: LoginRateLimiter;
  private readonly ofAddresses: LoginRateLimiter;

  constructor(private readonly options: SignInGuardOptions) {
    const { sleep, now } = options;
    this.ofIds = new LoginRateLimiter(sleep, now);
    this.ofAddresses = new LoginRateLimiter(sleep, now, FREE_FAILURES_OF_ADDRESS);
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
    const key = `${id} ${address}`;
    if (!(await this.ofIds.waitForAttempt(key, signal))) throw tooMany();
    const verified = await verify();
    if (verified !== undefined) {
      this.ofIds.succeeded(key);
      return verified;
    }
    this.ofIds.failed(key);
    const failures = this.ofAddresses.failed(address);
    const doublings = Math.log2(failures / FREE_FAILURES);
    if (doublings >= 0 && Number.isInteger(doublings)) {
      this.options.logger.warn('sign-ins failed', { address, failures });
    }
    if (!(await this.ofAddresses.waitForAttempt(address, signal))) throw tooMany();
    return undefined;
  }
}

function tooMany(): ConnectError {
  const message = 'too many failed sign-ins: check the key and its ID, and try again in a minute';
  return new ConnectError(message, Code.ResourceExhausted);
}
