import { setTimeout as sleep } from 'node:timers/promises';

/** Settings for waiting. */
export interface WaitOptions {
  /** Describes the awaited state in the error; the source text of the function by default. */
  readonly describeState?: (() => string) | undefined;
  /** Interval between checks in milliseconds. A longer one is for checks that are expensive. */
  readonly pollMs?: number | undefined;
  /** Time limit in milliseconds. A longer one is for work that takes minutes, such as builds. */
  readonly limitMs?: number | undefined;
}

const POLL_MS = 5;
/**
 * Shorter than the tests' time limits, so that the error names the condition and the process can
 * exit.
 */
const LIMIT_MS = 60_000;

/**
 * Waits until a condition is met.
 * @throws Error that names the condition if it isn't met within the time limit, 60 seconds by default.
 */
export async function waitUntil(
  isMet: () => boolean | Promise<boolean>,
  { describeState = () => String(isMet), ...limits }: WaitOptions = {},
): Promise<void> {
  await waitForValue(async () => (await isMet()) || undefined, { ...limits, describeState });
}

/**
 * Waits until a function returns a value other than undefined. Returns the value.
 * @throws Error that names the function if it returns no value within the time limit, 60 seconds by
 *   default.
 */
export async function waitForValue<T>(
  read: () => T | undefined | Promise<T | undefined>,
  { describeState = () => String(read), pollMs = POLL_MS, limitMs = LIMIT_MS }: WaitOptions = {},
): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    if (performance.now() > deadline) {
      throw new Error(`Does not hold after ${limitMs / 1000} seconds: ${describeState()}`);
    }
    await sleep(pollMs);
  }
}
