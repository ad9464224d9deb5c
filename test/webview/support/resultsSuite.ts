import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { FakeResultHost } from './fakeResultHost';
import { bundleResults, ResultsPage } from './resultsPage';
import { sharedBrowser } from './sharedBrowser';
import type { ThemeKind } from './themes';
import type { AppFiles } from './webviewPage';

/**
 * Provides each test of a suite with a page of results. A test fails if its page has reported
 * errors by the time the test ends.
 */
export interface ResultsSuite {
  readonly browser: Browser;
  readonly files: AppFiles;
  /** The host, which is new for each test and has a result of 300 rows. */
  readonly host: FakeResultHost;
  readonly opened: ResultsPage;
  /** Opens a page and shows the host's result. */
  open(options?: { theme?: ThemeKind | undefined; state?: unknown; views?: number }): Promise<void>;
}

/** Registers the hooks that the tests of a suite need. */
export function resultsSuite(): ResultsSuite {
  let browser: Browser;
  let files: AppFiles;
  let host: FakeResultHost;
  let opened: ResultsPage;

  before(async () => {
    [browser, files] = await Promise.all([sharedBrowser(), bundleResults()]);
  });

  beforeEach(() => {
    host = new FakeResultHost();
  });

  afterEach(async () => {
    const { pageErrors: complaints } = opened.webview;
    await opened.close();
    assert.deepEqual(complaints, []);
  });

  return {
    get browser() {
      return browser;
    },
    get files() {
      return files;
    },
    get host() {
      return host;
    },
    get opened() {
      return opened;
    },
    open: async (options = {}) => {
      const { theme, ...others } = options;
      opened = await ResultsPage.open(browser, { host, files, ...others, ...(theme && { theme }) });
      await opened.show();
    },
  };
}
