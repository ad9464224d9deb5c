import type { Locator } from 'playwright-core';
import { succeeds } from './appears';
import { until } from './until';

const FILL_TIMEOUT_MS = 5_000;

/**
 * Puts a text into a box, in place of what it held, and sees to it that it is there: Playwright gives
 * the box the focus and types then, and VS Code may give the focus to something else in between.
 */
export async function fillIn(input: Locator, text: string): Promise<void> {
  await until(`"${text}" is typed`, async () => {
    if (!(await succeeds(input.fill(text, { timeout: FILL_TIMEOUT_MS })))) return false;
    return (await input.inputValue()) === text;
  });
}
