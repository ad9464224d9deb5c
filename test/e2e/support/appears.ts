import type { Locator } from 'playwright-core';

/** Whether what was begun comes to a good end. */
export async function succeeds(begun: Promise<void>): Promise<boolean> {
  return begun.then(
    () => true,
    () => false,
  );
}

/** Whether something is there, or is within this time, which may be short: anyone who asks asks again. */
export async function appears(locator: Locator, withinMs: number): Promise<boolean> {
  return succeeds(locator.waitFor({ timeout: withinMs }));
}
