import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { FakeLogHost, liveParts } from './fakeLogHost';
import { LogPage } from './logPage';
import { sharedBrowser } from './sharedBrowser';
import type { ThemeKind } from './themes';
import { type AppFiles, bundleApp } from './webviewPage';

/**
 * Provides a log panel to each test of a suite; a test fails if its panel has complaints when the
 * test ends.
 */
export interface LogSuite {
  /** The host, which is new for each test. */
  readonly host: FakeLogHost;
  /**
   * Opens the panel with two live parts and shows the host's rows. The panel is closed after the
   * test.
   */
  open(options?: { theme?: ThemeKind; state?: unknown }): Promise<LogPage>;
}

/** Registers the hooks that the tests of a suite need. */
export function logSuite(): LogSuite {
  let browser: Browser;
  let files: AppFiles;
  let host: FakeLogHost;
  let opened: LogPage;

  before(async () => {
    [browser, files] = await Promise.all([sharedBrowser(), bundleApp('logs')]);
  });

  beforeEach(() => {
    host = new FakeLogHost();
  });

  afterEach(async () => {
    const { pageErrors: complaints } = opened.webview;
    await opened.webview.close();
    assert.deepEqual(complaints, []);
  });

  return {
    get host() {
      return host;
    },
    open: async (options = {}) => {
      opened = await LogPage.open(browser, { host, files, ...options });
      opened.webview.notify('partsChanged', { parts: liveParts, panel: 'panel 1' });
      host.notifyChange();
      await opened.waitUntilIdle();
      return opened;
    },
  };
}
