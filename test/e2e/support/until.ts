import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

const patienceMs = 60_000;
const pollMs = 100;

/**
 * Waits for a condition that isn't visible on a page, such as a service response or a written file.
 * @param what description for the error message, such as `the part is marked`
 */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = patienceMs,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await holds())) {
    assert.ok(performance.now() < deadline, `Not within ${withinMs} ms: ${what}`);
    await sleep(pollMs);
  }
}
