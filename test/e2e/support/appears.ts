import type { Locator } from 'playwright-core';

/** Returns true if a pending action succeeds. */
export async function succeeds(begun: Promise<void>): Promise<boolean> {
  return begun.then(
    () => true,
    () => false,
  );
}

/**
 * Returns true if something is visible or appears within a time, which can be short because callers
 * retry.
 */
export async function appears(locator: Locator, withinMs: number): Promise<boolean> {
  return succeeds(locator.waitFor({ timeout: withinMs }));
}
