import type { Browser } from 'playwright-core';
import { closeIdlePages, reusePages } from './pagePool';
import { startBrowser } from './webviewPage';

let browser: Promise<Browser> | undefined;

/**
 * Returns the Chromium instance that all suites of this process share; it is closed after the last
 * suite. Each test loads a separate document into a page that earlier tests might have used.
 */
export function sharedBrowser(): Promise<Browser> {
  return (browser ??= start());
}

async function start(): Promise<Browser> {
  const started = await startBrowser();
  reusePages(started);
  return started;
}

// Test files import this module before any `describe`, so these hooks become root hooks of the
// whole run.
afterEach(async function () {
  // A test that timed out keeps running and could press keys in a page that another test uses.
  if (browser && this.currentTest?.state === 'failed') await closeIdlePages(await browser);
});

after(async () => {
  await (await browser)?.close();
});
