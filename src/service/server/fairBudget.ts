import { onAbort } from '../../base/cancellation';

/** An amount of a budget that is in use. */
export interface Reservation {
  /** Gives back all but `amount`. */
  shrinkTo(amount: number): void;
  /** Gives everything back. Has no effect when it was called before. */
  release(): void;
}

/** The work that an amount is for. */
export interface Holder {
  /** How much longer it will wait for its client, in milliseconds; undefined while it does not wait. */
  estimateWaitMs(): number | undefined;
  /** Stops, because its amount was taken back. */
  giveUp(): void;
}

export interface FairBudgetOptions {
  readonly capacity: number;
  /** How long a request waits for its amount. */
  readonly maxWaitMs: number;
  /** How long an amount can be held while others wait, and how long these wait before it is taken back. */
  readonly reclaimAfterMs: number;
}

interface Waiter {
  readonly amount: number;
  readonly caller: string;
  readonly since: number;
  readonly grant: () => void;
}

interface HeldAmount {
  readonly holder: Holder;
  readonly since: number;
  readonly reservation: Reservation;
  amount: number;
}

const RECLAIM_CHECKS = 10;

/**
 * A semaphore of amounts. Those who wait get theirs in the order of what their callers have already, then of
 * requests. One caller gets at most half of the capacity unless it has nothing yet, so that others are never all
 * behind it. What is held for slow clients is taken back when others have waited for it.
 */
export class FairBudget {
  private used = 0;
  private readonly usedBy = new Map<string, number>();
  private readonly waiters = new Set<Waiter>();
  private readonly held = new Set<HeldAmount>();
  private reclaiming: NodeJS.Timeout | undefined;

  constructor(private readonly options: FairBudgetOptions) {}

  /** Reserves an amount without waiting, if there is room and no one waits. */
  tryReserve(amount: number, caller: string, holder?: Holder): Reservation | undefined {
    if (this.waiters.size > 0 || !this.hasRoom(amount, caller)) return undefined;
    return this.take(amount, caller, holder);
  }

  /**
   * Reserves an amount; more than the capacity counts as the capacity.
   * @param holder absent, the amount is never taken back
   * @returns undefined when there was no room in time
   * @throws the signal's reason when it aborts first
   */
  async reserve(
    wantedAmount: number,
    caller: string,
    signal: AbortSignal,
    holder?: Holder,
  ): Promise<Reservation | undefined> {
    signal.throwIfAborted();
    const amount = Math.min(wantedAmount, this.options.capacity);
    const ready = this.tryReserve(amount, caller, holder);
    if (ready !== undefined) return ready;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        following.dispose();
        this.waiters.delete(waiter);
        if (this.waiters.size === 0) this.stopReclaiming();
      };
      const waiter: Waiter = {
        ...{ amount, caller, since: performance.now() },
        grant: () => {
          leave();
          resolve(this.take(amount, caller, holder));
        },
      };
      const timer = setTimeout(() => {
        leave();
        resolve(undefined);
        this.grantWaiting();
      }, this.options.maxWaitMs);
      const following = onAbort(signal, () => {
        leave();
        reject(signal.reason as Error);
        this.grantWaiting();
      });
      this.waiters.add(waiter);
      const checkMs = this.options.reclaimAfterMs / RECLAIM_CHECKS;
      this.reclaiming ??= setInterval(() => this.reclaim(), checkMs).unref();
      this.grantWaiting();
    });
  }

  private hasRoom(amount: number, caller: string): boolean {
    return this.used + amount <= this.options.capacity && !this.exceedsShare(amount, caller);
  }

  private exceedsShare(amount: number, caller: string): boolean {
    const own = this.usedBy.get(caller) ?? 0;
    return own > 0 && own + amount > this.options.capacity / 2;
  }

  private take(amount: number, caller: string, holder?: Holder): Reservation {
    let current = amount;
    this.add(amount, caller);
    const shrinkTo = (rest: number): void => {
      if (rest >= current) return;
      this.add(rest - current, caller);
      current = rest;
      if (held && rest === 0) this.held.delete(held);
      else if (held) held.amount = rest;
      this.grantWaiting();
    };
    const reservation = { shrinkTo, release: () => shrinkTo(0) };
    const held = holder && { holder, amount, reservation, since: performance.now() };
    if (held) this.held.add(held);
    return reservation;
  }

  private add(amount: number, caller: string): void {
    this.used += amount;
    const own = (this.usedBy.get(caller) ?? 0) + amount;
    if (own > 0) this.usedBy.set(caller, own);
    else this.usedBy.delete(caller);
  }

  private grantWaiting(): void {
    for (;;) {
      const waiter = this.findNextWaiter();
      if (waiter === undefined || !this.hasRoom(waiter.amount, waiter.caller)) return;
      waiter.grant();
    }
  }

  /** A caller that has its share does not keep others waiting; a large amount does. */
  private findNextWaiter(): Waiter | undefined {
    let next: Waiter | undefined;
    let leastUsed = Infinity;
    for (const waiter of this.waiters) {
      const used = this.usedBy.get(waiter.caller) ?? 0;
      if (used >= leastUsed || this.exceedsShare(waiter.amount, waiter.caller)) continue;
      next = waiter;
      leastUsed = used;
    }
    return next;
  }

  /** Takes amounts back, for the slowest clients first, when that gives the next waiter what it waits for. */
  private reclaim(): void {
    const { capacity, reclaimAfterMs } = this.options;
    const latest = performance.now() - reclaimAfterMs;
    const waiter = this.findNextWaiter();
    if (waiter === undefined || waiter.since > latest) return;
    const waiting = [...this.held]
      .filter(({ since }) => since <= latest)
      .map((held) => ({ ...held, waitMs: held.holder.estimateWaitMs() ?? -1 }))
      .filter(({ waitMs }) => waitMs >= 0)
      .toSorted((a, b) => compareDescending(a.waitMs, b.waitMs));
    let missing = this.used + waiter.amount - capacity;
    const victims = waiting.filter(({ amount }) => {
      const isNeeded = missing > 0;
      if (isNeeded) missing -= amount;
      return isNeeded;
    });
    if (missing > 0) return;
    for (const { holder, reservation } of victims) {
      holder.giveUp();
      reservation.release();
    }
  }

  private stopReclaiming(): void {
    clearInterval(this.reclaiming);
    this.reclaiming = undefined;
  }
}

/** Compares numbers that can be infinite. */
function compareDescending(a: number, b: number): number {
  if (a === b) return 0;
  return a > b ? -1 : 1;
}
