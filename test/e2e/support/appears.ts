import type { Locator } from 'playwright-core';

/** Resolves to true if a pending action succeeds and to false if it fails. */
export async function succeeds(begun: Promise<void>): Promise<boolean> {
  return begun.then(
    () => true,
    () => false,
  );
}

/**
 * Resolves to true if an element is visible or becomes visible within a given time. The time can be
 * short, because callers retry.
 */
export async function appears(locator: Locator, withinMs: number): Promise<boolean> {
  return succeeds(locator.waitFor({ timeout: withinMs }));
}
