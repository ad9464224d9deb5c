import { onAbort } from '../../base/cancellation';

/** An amount of a budget that is in use. */
export interface Reservation {
  /** Gives back all but `amount`. */
  shrinkTo(amount: number): void;
  /** Gives everything back. Has no effect when it was called before. */
  release(): void;
}

export interface FairBudgetOptions {
  readonly capacity: number;
  /** How long a request waits for its amount. */
  readonly maxWaitMs: number;
}

interface Waiter {
  readonly amount: number;
  readonly caller: string;
  readonly grant: (reservation: Reservation) => void;
}

/**
 * A semaphore of amounts in the order of requests. One caller gets at most half of the capacity unless it has
 * nothing yet, so that others are never all behind it.
 */
export class FairBudget {
  private used = 0;
  private readonly usedBy = new Map<string, number>();
  private readonly waiters = new Set<Waiter>();

  constructor(private readonly options: FairBudgetOptions) {}

  /** Reserves an amount without waiting, if there is room and no one waits. */
  tryReserve(amount: number, caller: string): Reservation | undefined {
    if (this.waiters.size > 0 || !this.hasRoom(amount, caller)) return undefined;
    return this.take(amount, caller);
  }

  /**
   * Reserves an amount; more than the capacity counts as the capacity.
   * @returns undefined when there was no room in time
   * @throws the signal's reason when it aborts first
   */
  async reserve(
    wantedAmount: number,
    caller: string,
    signal: AbortSignal,
  ): Promise<Reservation | undefined> {
    signal.throwIfAborted();
    const amount = Math.min(wantedAmount, this.options.capacity);
    const ready = this.tryReserve(amount, caller);
    if (ready !== undefined) return ready;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        following.dispose();
        this.waiters.delete(waiter);
      };
      const waiter: Waiter = {
        ...{ amount, caller },
        grant: (reservation) => {
          leave();
          resolve(reservation);
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

  private take(amount: number, caller: string): Reservation {
    let current = amount;
    this.add(amount, caller);
    const shrinkTo = (rest: number): void => {
      if (rest >= current) return;
      this.add(rest - current, caller);
      current = rest;
      this.grantWaiting();
    };
    return { shrinkTo, release: () => shrinkTo(0) };
  }

  private add(amount: number, caller: string): void {
    this.used += amount;
    const own = (this.usedBy.get(caller) ?? 0) + amount;
    if (own > 0) this.usedBy.set(caller, own);
    else this.usedBy.delete(caller);
  }

  private grantWaiting(): void {
    for (const waiter of this.waiters) {
      const { amount, caller, grant } = waiter;
      // A caller that has its share does not keep those behind it waiting; a large amount does.
      if (this.exceedsShare(amount, caller)) continue;
      if (!this.hasRoom(amount, caller)) return;
      grant(this.take(amount, caller));
    }
  }
}
