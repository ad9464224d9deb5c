import { setImmediate as turn } from 'node:timers/promises';
import { onAbort } from '../../src/base/cancellation';

/** Sleeps that no time ends: the test does, or the code that aborts them. */
export class TestSleeps {
  private readonly sleepers = new Set<() => void>();

  readonly sleep = (_milliseconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      this.sleepers.add(resolve);
      if (!signal) return;
      onAbort(signal, () => {
        this.sleepers.delete(resolve);
        reject(signal.reason as Error);
      });
    });

  /** How many sleep. */
  get count(): number {
    return this.sleepers.size;
  }

  /** Ends the sleeps that are under way. */
  wake(): void {
    for (const wake of this.sleepers) wake();
    this.sleepers.clear();
  }

  /** Nobody sleeps long until something is so; the test's own time limit ends it when it never is. */
  async until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await isSo())) {
      this.wake();
      await turn();
    }
  }
}
