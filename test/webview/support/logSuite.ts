import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { FakeLogHost, liveParts } from './fakeLogHost';
import { LogPage } from './logPage';
import { sharedBrowser } from './sharedBrowser';
import type { ThemeKind } from './themes';
import { type AppFiles, bundleApp } from './webviewPage';

/** A log panel for each test of a suite, which must have had nothing to complain about in the end. */
export interface LogSuite {
  /** Another one for each test. */
  readonly host: FakeLogHost;
  /** Opens the panel with two parts that are live, and shows the host's rows; it is closed after the test. */
  open(options?: { theme?: ThemeKind; state?: unknown }): Promise<LogPage>;
}

/** Registers what the tests of a suite need before and after them. */
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
    const { complaints } = opened.webview;
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
      host.tell();
      await opened.settled();
      return opened;
    },
  };
}
