import type { Locator } from 'playwright-core';
import { succeeds } from './appears';
import { until } from './until';

const FILL_TIMEOUT_MS = 5_000;

/**
 * Replaces the text in an input and checks the result: Playwright focuses the input before it
 * types, and VS Code can move the focus elsewhere in the meantime.
 */
export async function fillIn(input: Locator, text: string): Promise<void> {
  await until(`"${text}" is typed`, async () => {
    if (!(await succeeds(input.fill(text, { timeout: FILL_TIMEOUT_MS })))) return false;
    return (await input.inputValue()) === text;
  });
}
