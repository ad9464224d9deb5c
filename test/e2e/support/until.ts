import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

const patienceMs = 60_000;
const pollMs = 100;

/**
 * Waits until something holds that no page shows: what a service answers, what was written.
 * @param what for the message when it does not come to hold, such as `the part is marked`
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
