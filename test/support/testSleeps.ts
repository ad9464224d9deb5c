import { setImmediate as turn } from 'node:timers/promises';
import { onAbort } from '../../src/base/cancellation';

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

  /** Waits for a condition; the test's time limit ends the wait if it is never met. */
  async until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await isSo())) {
      this.wake();
      await turn();
    }
  }
}
