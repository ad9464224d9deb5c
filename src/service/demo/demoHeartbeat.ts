import type { Clock } from '../../base/clock';
import type { Logger } from '../../base/logger';
import { microsFromDate } from '../store/micros';
import { recordContact } from '../store/parts';
import type { Store } from '../store/store';

/**
 * Interval in milliseconds: one third of the time after which a machine without contact counts as
 * offline.
 */
const INTERVAL_MS = 20_000;

/**
 * Simulates contacts of the demo machines, which would call the service every few seconds if they
 * were real.
 */
export class DemoHeartbeat {
  private timer: NodeJS.Timeout | undefined;
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Records a contact of these parts immediately, and then periodically until `stop` is called. */
  async start(partIds: readonly string[]): Promise<void> {
    await this.beat(partIds);
    this.timer = setInterval(() => {
      this.last = this.beat(partIds).catch((error: unknown) => {
        this.logger.warn('the demo fleet could not report', { error: String(error) });
      });
    }, INTERVAL_MS);
    this.timer.unref();
  }

  /** Stops the heartbeat. Resolves when it no longer uses the store. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.last;
  }

  private beat(partIds: readonly string[]): Promise<void> {
    return recordContact(this.store, partIds, microsFromDate(this.clock.now()));
  }
}
