import { onAbort } from '../../src/base/cancellation';
import { waitUntil } from './waitUntil';

/** Sleeps that have no duration: each sleep ends when a test ends it or its signal is aborted. */
export class TestSleeps {
  private readonly sleepers = new Set<() => void>();
  /** Requested durations of all sleeps so far, in milliseconds. */
  readonly durations: number[] = [];

  readonly sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      this.durations.push(milliseconds);
      this.sleepers.add(resolve);
      if (!signal) return;
      onAbort(signal, () => {
        this.sleepers.delete(resolve);
        reject(signal.reason as Error);
      });
    });

  /** Number of pending sleeps. */
  get count(): number {
    return this.sleepers.size;
  }

  /** Ends all pending sleeps. */
  wake(): void {
    for (const wake of this.sleepers) wake();
    this.sleepers.clear();
  }

  /** Ends all sleeps until a condition is met. */
  async until(isMet: () => boolean | Promise<boolean>): Promise<void> {
    const wakeUnlessMet = async (): Promise<boolean> => {
      if (await isMet()) return true;
      this.wake();
      return false;
    };
    await waitUntil(wakeUnlessMet, { describeState: () => String(isMet), pollMs: 0 });
  }
}
