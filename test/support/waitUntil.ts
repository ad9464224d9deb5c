import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 5;
/**
 * Shorter than the tests' time limits, so that the error names the condition and the process can
 * exit.
 */
const LIMIT_MS = 60_000;

/**
 * Waits until a condition is met.
 *
 * @throws Error that names the condition if it isn't met within 60 seconds
 */
export async function waitUntil(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) {
      throw new Error(`Does not hold after ${LIMIT_MS / 1000} seconds: ${String(holds)}`);
    }
    await sleep(POLL_MS);
  }
}
