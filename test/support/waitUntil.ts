import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 5;
/** Below the time limits of the tests, so that the condition is named and the process can end. */
const LIMIT_MS = 60_000;

/**
 * Waits until a condition holds.
 *
 * @throws Error naming the condition when it does not hold within 60 seconds
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
