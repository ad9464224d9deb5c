import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;
const TIMEOUT_MS = 60_000;

/**
 * Waits for a condition.
 * @param condition description of the condition for the error message
 */
export async function until(
  condition: string,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await holds())) {
    assert.ok(performance.now() < deadline, `Expected ${condition}.`);
    await sleep(POLL_MS);
  }
}
