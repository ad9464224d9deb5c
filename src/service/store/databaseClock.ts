import { sql } from 'kysely';
import type { Clock } from '../../base/clock';
import type { Logger } from '../../base/logger';
import type { Store } from './store';

const INTERVAL_MS = 60_000;
/** Difference in milliseconds from which the operator must correct the computer's clock. */
const MAX_DIFFERENCE_MS = 1000;

/**
 * Clock of a PostgreSQL database, which all services that share the database follow, even if the
 * clocks of their computers are wrong. It is accurate to half of the time that a query takes.
 */
export class DatabaseClock implements Clock, Disposable {
  /** Milliseconds by which the database is ahead of this computer. */
  private offsetMs = 0;
  private hasWarned = false;
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly store: Store,
    private readonly own: Clock,
    private readonly logger: Logger,
  ) {
    this.timer = setInterval(() => {
      // Between measurements, the last offset remains valid.
      this.measure().catch(() => undefined);
    }, INTERVAL_MS).unref();
  }

  /**
   * @param own clock of this computer.
   * @throws any error from the database.
   */
  static async open(store: Store, own: Clock, logger: Logger): Promise<DatabaseClock> {
    const clock = new DatabaseClock(store, own, logger);
    await clock.measure();
    return clock;
  }

  now(): Date {
    return new Date(this.own.now().getTime() + this.offsetMs);
  }

  [Symbol.dispose](): void {
    clearInterval(this.timer);
  }

  private async measure(): Promise<void> {
    // The first query can also open a connection, which would make the result less accurate.
    await sql`select 1`.execute(this.store);
    const sentAt = this.own.now().getTime();
    const { rows } = await sql<{ time: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as time`.execute(this.store);
    const receivedAt = this.own.now().getTime();
    const [row] = rows;
    if (row === undefined) return;
    this.offsetMs = row.time - (sentAt + receivedAt) / 2;
    if (Math.abs(this.offsetMs) < MAX_DIFFERENCE_MS || this.hasWarned) return;
    this.hasWarned = true;
    this.logger.warn("this computer's clock is wrong: the service uses that of the database", {
      offsetMs: Math.round(this.offsetMs),
    });
  }
}
