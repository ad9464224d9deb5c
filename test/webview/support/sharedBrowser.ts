import type { Browser } from 'playwright-core';
import { startBrowser } from './webviewPage';

let browser: Promise<Browser> | undefined;

/**
 * Returns the Chromium that all suites of this process share: each page has a profile of its own, so nothing
 * passes from one test to another. It ends after the last suite.
 */
export function sharedBrowser(): Promise<Browser> {
  return (browser ??= startBrowser());
}

// Test files import this before they describe anything, which makes it a hook of the whole run.
after(async () => {
  await (await browser)?.close();
});
