import { Code, ConnectError } from '@connectrpc/connect';
import { BUSY_RETRY_MS, exhausted } from '../errors';
import type { CountRejection } from './connectionGuard';
import type { FairBudget, FairCaller, Holder, Reservation } from './fairBudget';

/** Memory budgets that all calls' request messages share. */
export interface RequestMemory {
  /**
   * Budget in bytes for callers that haven't signed in. The separate budget prevents them from
   * delaying signed-in callers.
   */
  readonly unknown: FairBudget;
  /** Budget in bytes for small messages, which prevents large messages from delaying them. */
  readonly small: FairBudget;
  /** Budget in bytes for large messages. */
  readonly large: FairBudget;
  /**
   * Budget for the number of fields and elements, which use more memory after parsing than in
   * binary form.
   */
  readonly values: FairBudget;
  /**
   * Slots for decompressing large messages. A few bytes can decompress to many. The threads that
   * decompress them compete with the event loop, and their memory must be garbage collected.
   */
  readonly decompressions: FairBudget;
}

export interface MemoryCall {
  /** Identifier of the caller, who gets a fair share of the memory. */
  readonly caller: FairCaller;
  readonly countRejection: CountRejection;
}

/** Memory that the messages of a call have reserved. */
export class CallMemory {
  private reservations: Reservation[] = [];
  private isReleased = false;

  /** @param holder the reader of the messages, from which slow calls' memory can be reclaimed */
  constructor(
    private readonly call: MemoryCall,
    private readonly holder: Holder,
  ) {}

  /** Reserves an amount until the next release. */
  async reserve(budget: FairBudget, amount: number, signal: AbortSignal): Promise<Reservation> {
    const reservation = await this.acquire(budget, amount, signal);
    this.reservations.push(reservation);
    return reservation;
  }

  /**
   * Reserves an amount that isn't released with the call.
   * @throws ResourceExhausted if there isn't enough memory, Canceled if the call has ended, and the
   *   signal's reason
   */
  async acquire(budget: FairBudget, amount: number, signal: AbortSignal): Promise<Reservation> {
    signal.throwIfAborted();
    this.throwIfReleased();
    const { caller, countRejection } = this.call;
    const reservation =
      budget.tryReserve(amount, caller, this.holder) ??
      (await budget.reserve(amount, caller, signal, this.holder));
    if (this.isReleased) reservation?.release();
    this.throwIfReleased();
    if (reservation === undefined) {
      countRejection('noMemory');
      throw exhausted(
        'the service is busy with other large requests: try again in a minute',
        BUSY_RETRY_MS,
      );
    }
    return reservation;
  }

  /**
   * Releases the memory after the call has ended. A read that is still in progress can no longer
   * reserve memory.
   */
  release(): void {
    this.isReleased = true;
    this.releaseReservations();
  }

  /** Releases the reservations for a message that has been handled. */
  releaseReservations(): void {
    for (const reservation of this.reservations) reservation.release();
    this.reservations = [];
  }

  private throwIfReleased(): void {
    if (this.isReleased) throw new ConnectError('the call has ended', Code.Canceled);
  }
}
