import { toClientNetwork } from '../clientNetwork';
import { BUSY_RETRY_MS, exhausted } from '../errors';

export interface StreamLimits {
  readonly total: number;
  readonly perAddress: number;
}

/** A load balancer opens a few streams; a mesh opens one from each of its proxies. */
const STREAM_LIMITS: StreamLimits = { total: 1_000, perAddress: 100 };

/**
 * Limits open streams of methods whose callers don't have to sign in, in total and per IPv4 address or
 * IPv6 network. Otherwise, one client could use all of them.
 */
export class StreamLimit {
  private total = 0;
  private readonly countByNetwork = new Map<string, number>();

  /** @param advice alternative for callers that are rejected */
  constructor(
    private readonly advice: string,
    private readonly limits: StreamLimits = STREAM_LIMITS,
  ) {}

  /**
   * Counts a stream until it is disposed of.
   * @param address undefined for calls within the process, which count only in total
   * @throws ResourceExhausted if too many streams are open
   */
  open(address: string | undefined): Disposable {
    const network = address === undefined ? undefined : toClientNetwork(address);
    const isTooMany = this.total >= this.limits.total;
    if (isTooMany || this.count(network) >= this.limits.perAddress) {
      const callers = isTooMany ? '' : ' from this address';
      throw exhausted(`too many streams are open${callers}: ${this.advice}`, BUSY_RETRY_MS);
    }
    this.add(network, 1);
    return { [Symbol.dispose]: () => this.add(network, -1) };
  }

  private count(network: string | undefined): number {
    return (network === undefined ? undefined : this.countByNetwork.get(network)) ?? 0;
  }

  private add(network: string | undefined, difference: 1 | -1): void {
    this.total += difference;
    if (network === undefined) return;
    const count = this.count(network) + difference;
    if (count > 0) this.countByNetwork.set(network, count);
    else this.countByNetwork.delete(network);
  }
}
