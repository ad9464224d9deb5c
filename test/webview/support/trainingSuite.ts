import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { sharedBrowser } from './sharedBrowser';
import type { ThemeKind } from './themes';
import { FakeTrainingHost, TrainingPage } from './trainingPage';
import { type AppFiles, bundleApp } from './webviewPage';

/**
 * Provides each test of a suite with a training panel. A test fails if its panel has reported
 * errors by the time the test ends.
 */
export interface TrainingSuite {
  /** The host, which is new for each test. */
  readonly host: FakeTrainingHost;
  /** Opens the panel, which is closed after the test. */
  open(options?: { theme?: ThemeKind; state?: unknown }): Promise<TrainingPage>;
}

/** Registers the hooks that the tests of a suite need. */
export function trainingSuite(): TrainingSuite {
  let browser: Browser;
  let files: AppFiles;
  let host: FakeTrainingHost;
  let opened: TrainingPage;

  before(async () => {
    [browser, files] = await Promise.all([sharedBrowser(), bundleApp('training')]);
  });

  beforeEach(() => {
    host = new FakeTrainingHost();
  });

  afterEach(async () => {
    const { pageErrors: complaints } = opened.webview;
    await opened.close();
    assert.deepEqual(complaints, []);
  });

  return {
    get host() {
      return host;
    },
    open: async (options = {}) => {
      opened = await TrainingPage.open(browser, { host, files, ...options });
      return opened;
    },
  };
}
