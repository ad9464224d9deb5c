import type { Browser } from 'playwright-core';
import { closeIdlePages, reusePages } from './pagePool';
import { startBrowser } from './webviewPage';

let browser: Promise<Browser> | undefined;

/**
 * Returns the Chromium that all suites of this process share. It ends after the last suite. Each test loads a
 * document of its own into a page that an earlier test may have used.
 */
export function sharedBrowser(): Promise<Browser> {
  return (browser ??= start());
}

async function start(): Promise<Browser> {
  const started = await startBrowser();
  reusePages(started);
  return started;
}

// Test files import this before they describe anything, which makes these hooks of the whole run.
afterEach(async function () {
  // A test that timed out goes on and would press its keys in the page of another test.
  if (browser && this.currentTest?.state === 'failed') await closeIdlePages(await browser);
});

after(async () => {
  await (await browser)?.close();
});
