import { setTimeout as sleep } from 'node:timers/promises';

/** Settings for waiting. */
export interface WaitOptions {
  /** Describes the awaited state in the error; the source text of the function by default. */
  readonly describeState?: (() => string) | undefined;
  /** Interval between checks in milliseconds. A longer one is for checks that are expensive. */
  readonly pollMs?: number | undefined;
}

const POLL_MS = 5;
/**
 * Shorter than the tests' time limits, so that the error names the condition and the process can
 * exit.
 */
const LIMIT_MS = 60_000;

/**
 * Waits until a condition is met.
 * @throws Error that names the condition if it isn't met within 60 seconds.
 */
export async function waitUntil(
  isMet: () => boolean | Promise<boolean>,
  { describeState = () => String(isMet), pollMs }: WaitOptions = {},
): Promise<void> {
  await waitForValue(async () => (await isMet()) || undefined, { describeState, pollMs });
}

/**
 * Waits until a function returns a value other than undefined. Returns the value.
 * @throws Error that names the function if it returns no value within 60 seconds.
 */
export async function waitForValue<T>(
  read: () => Promise<T | undefined>,
  { describeState = () => String(read), pollMs = POLL_MS }: WaitOptions = {},
): Promise<T> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    if (performance.now() > deadline) {
      throw new Error(`Does not hold after ${LIMIT_MS / 1000} seconds: ${describeState()}`);
    }
    await sleep(pollMs);
  }
}
