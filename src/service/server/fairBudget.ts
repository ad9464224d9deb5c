import { onAbort } from '../../base/cancellation';

/**
 * Names under which a caller's amounts are counted, such as its address, its organization, and its
 * own ID. The last name identifies the caller.
 */
export type FairCaller = readonly string[];

/** Amount of a budget that is in use. */
export interface Reservation {
  /** Releases all of the reservation except `amount`. */
  shrinkTo(amount: number): void;
  /** Releases the entire reservation. Has no effect if called again. */
  release(): void;
  /** Releases the entire reservation without a call to `onRelease`. */
  releaseFreed(): void;
}

/** Work for which an amount is reserved. */
export interface Holder {
  /**
   * Returns the estimated time in milliseconds that the work will wait for its client; undefined
   * while it isn't waiting for the client.
   */
  estimateWaitMs(): number | undefined;
  /** Stops the work because its amount was reclaimed. */
  onReclaimed(): void;
}

export interface FairBudgetOptions {
  readonly capacity: number;
  /** Maximum time that a request waits for its amount. */
  readonly maxWaitMs: number;
  /**
   * Minimum time that an amount must be reserved, and that other requests must wait for this
   * amount, before it is reclaimed. If absent, amounts are never reclaimed.
   */
  readonly reclaimAfterMs?: number;
  /** Called with each amount that is released, unless its memory was already freed. */
  readonly onRelease?: (amount: number) => void;
  /** Called when everything that was reserved has been released. */
  readonly onUnused?: () => void;
}

/** Use of a budget: amounts in use and in all, and the number of waiting requests. */
export interface BudgetLoad {
  readonly used: number;
  readonly capacity: number;
  readonly waiting: number;
}

interface Waiter {
  readonly amount: number;
  readonly caller: FairCaller;
  readonly since: number;
  readonly grant: () => void;
}

interface AllocatedAmount {
  readonly holder: Holder;
  readonly since: number;
  readonly reservation: Reservation;
  amount: number;
}

const RECLAIM_CHECKS = 10;

/**
 * Fair semaphore for amounts. Waiting requests are served in ascending order of the amounts already
 * held under all of their callers' names, then in order of arrival. As a result, many callers in
 * one organization or at one address don't delay callers in another organization or at another
 * address. A caller gets at most half of the capacity, unless it holds nothing yet, so one caller
 * can't block all others. Amounts that are held for slow clients are reclaimed when other requests
 * have waited for them.
 */
export class FairBudget {
  private used = 0;
  private readonly usedBy = new Map<string, number>();
  private readonly waiters = new Set<Waiter>();
  private readonly allocated = new Set<AllocatedAmount>();
  private reclaiming: NodeJS.Timeout | undefined;

  constructor(private readonly options: FairBudgetOptions) {}

  /** Current use of the budget. */
  get load(): BudgetLoad {
    return { used: this.used, capacity: this.options.capacity, waiting: this.waiters.size };
  }

  /** Reserves an amount without waiting, if it is available and no other request is waiting. */
  tryReserve(amount: number, caller: FairCaller, holder?: Holder): Reservation | undefined {
    if (this.waiters.size > 0 || !this.hasRoom(amount, caller)) return undefined;
    return this.take(amount, caller, holder);
  }

  /**
   * Reserves an amount. An amount larger than the capacity is treated as the capacity.
   * @param holder if absent, the amount is never reclaimed
   * @returns undefined if the amount doesn't become available in time
   * @throws the signal's reason if it aborts first
   */
  async reserve(
    requestedAmount: number,
    caller: FairCaller,
    signal: AbortSignal,
    holder?: Holder,
  ): Promise<Reservation | undefined> {
    signal.throwIfAborted();
    const amount = Math.min(requestedAmount, this.options.capacity);
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
        amount,
        caller,
        since: performance.now(),
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
      this.startReclaiming();
      this.grantWaiting();
    });
  }

  private hasRoom(amount: number, caller: FairCaller): boolean {
    return this.used + amount <= this.options.capacity && !this.exceedsShare(amount, caller);
  }

  private exceedsShare(amount: number, caller: FairCaller): boolean {
    const own = this.getUsed(caller.at(-1));
    return own > 0 && own + amount > this.options.capacity / 2;
  }

  private take(amount: number, caller: FairCaller, holder?: Holder): Reservation {
    let current = amount;
    this.add(amount, caller);
    const shrink = (rest: number, onRelease?: (amount: number) => void): void => {
      if (rest >= current) return;
      this.add(rest - current, caller);
      onRelease?.(current - rest);
      current = rest;
      if (allocation && rest === 0) this.allocated.delete(allocation);
      else if (allocation) allocation.amount = rest;
      this.grantWaiting();
      if (this.used === 0) this.options.onUnused?.();
    };
    const { onRelease } = this.options;
    const reservation: Reservation = {
      shrinkTo: (rest) => shrink(rest, onRelease),
      release: () => shrink(0, onRelease),
      releaseFreed: () => shrink(0),
    };
    // Releasing nothing changes nothing, so an entry without an amount would stay forever.
    const isReclaimable = holder !== undefined && amount > 0;
    const allocation = isReclaimable
      ? { holder, amount, reservation, since: performance.now() }
      : undefined;
    if (allocation) this.allocated.add(allocation);
    return reservation;
  }

  private add(amount: number, caller: FairCaller): void {
    this.used += amount;
    for (const name of caller) {
      const used = this.getUsed(name) + amount;
      if (used > 0) this.usedBy.set(name, used);
      else this.usedBy.delete(name);
    }
  }

  private getUsed(name: string | undefined): number {
    return (name === undefined ? undefined : this.usedBy.get(name)) ?? 0;
  }

  private grantWaiting(): void {
    for (;;) {
      const waiter = this.findNextWaiter();
      if (waiter === undefined || !this.hasRoom(waiter.amount, waiter.caller)) return;
      waiter.grant();
    }
  }

  /**
   * Callers that have used their share don't block other callers, but a request for a large amount
   * can.
   */
  private findNextWaiter(): Waiter | undefined {
    let next: Waiter | undefined;
    let leastUsed = Infinity;
    for (const waiter of this.waiters) {
      const used = waiter.caller.reduce((sum, name) => sum + this.getUsed(name), 0);
      if (used >= leastUsed || this.exceedsShare(waiter.amount, waiter.caller)) continue;
      next = waiter;
      leastUsed = used;
    }
    return next;
  }

  private startReclaiming(): void {
    const { reclaimAfterMs } = this.options;
    if (reclaimAfterMs === undefined) return;
    const checkMs = reclaimAfterMs / RECLAIM_CHECKS;
    this.reclaiming ??= setInterval(() => this.reclaim(reclaimAfterMs), checkMs).unref();
  }

  /**
   * Reclaims amounts, starting with the slowest clients, if this frees enough for the next waiting
   * request.
   */
  private reclaim(reclaimAfterMs: number): void {
    const { capacity } = this.options;
    const latest = performance.now() - reclaimAfterMs;
    const waiter = this.findNextWaiter();
    if (waiter === undefined || waiter.since > latest) return;
    const waiting = [...this.allocated]
      .filter(({ since }) => since <= latest)
      .map((allocation) => ({ ...allocation, waitMs: allocation.holder.estimateWaitMs() ?? -1 }))
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
      holder.onReclaimed();
      reservation.release();
    }
  }

  private stopReclaiming(): void {
    clearInterval(this.reclaiming);
    this.reclaiming = undefined;
  }
}

/** Compares numbers in descending order. The numbers can be infinite. */
function compareDescending(a: number, b: number): number {
  if (a === b) return 0;
  return a > b ? -1 : 1;
}

/**
 * Maximum number of starts per tick of the event loop. A small call takes about half a millisecond.
 */
const MAX_STARTS_PER_TICK = 8;

/**
 * Starts only a few calls per tick of the event loop, round-robin by connection. Otherwise, one
 * connection could send thousands of small calls in one packet, and all of them would be handled
 * before any other work.
 */
export class FairStarts<Connection> {
  private readonly waiting = new Map<Connection, (() => void)[]>();
  private startCount = 0;
  private isScheduled = false;

  /** Resolves when a call on a connection can start. */
  async wait(connection: Connection): Promise<void> {
    this.schedule();
    if (this.waiting.size === 0 && this.startCount < MAX_STARTS_PER_TICK) {
      this.startCount += 1;
      return;
    }
    await new Promise<void>((resolve) => {
      const queue = this.waiting.get(connection);
      if (queue === undefined) this.waiting.set(connection, [resolve]);
      else queue.push(resolve);
    });
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.startWaiting();
    });
  }

  private startWaiting(): void {
    this.startCount = 0;
    while (this.startCount < MAX_STARTS_PER_TICK) {
      const [first] = this.waiting;
      if (first === undefined) return;
      const [connection, queue] = first;
      const start = queue.shift();
      this.waiting.delete(connection);
      if (queue.length > 0) this.waiting.set(connection, queue);
      this.startCount += 1;
      start?.();
    }
    this.schedule();
  }
}
