import './englishVscode';
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { toPseudoText } from '../../support/pseudoTexts';
import { findBareEnglish } from '../../support/visibleWords';
import { sharedBrowser } from './sharedBrowser';
import { usePseudoTexts } from './vscodeTexts';
import type { WebviewPage } from './webviewPage';

/** The language of dates and numbers in pseudo-translated webviews. */
export const pseudoLocale = 'zh-CN';

/** A webview whose texts are checked. */
type PseudoView = Pick<WebviewPage<never>, 'page' | 'pageErrors' | 'waitUntilIdle' | 'close'>;

/**
 * Provides pseudo-translated strings of the host to each test of a suite; a test fails if its
 * webview has complaints at its end.
 */
export interface PseudoSuite {
  readonly browser: Browser;
  /** The webview of the test, which is closed after it. */
  view: PseudoView;
  /** Checks the visible texts, except for words of the test's own data. */
  check(state: string, data: readonly string[]): Promise<void>;
  /** Clicks the first button with an English name. */
  click(name: string): Promise<void>;
}

/** Registers the hooks that the tests of a suite need. */
export function pseudoSuite(): PseudoSuite {
  let browser: Browser;
  let view: PseudoView | undefined;

  before(async () => {
    browser = await sharedBrowser();
    usePseudoTexts(true);
  });

  after(() => usePseudoTexts(false));

  afterEach(async () => {
    const pageErrors = view?.pageErrors;
    await view?.close();
    view = undefined;
    assert.deepEqual(pageErrors, []);
  });

  const getView = (): PseudoView => {
    assert.ok(view);
    return view;
  };
  return {
    get browser() {
      return browser;
    },
    get view() {
      return getView();
    },
    set view(opened) {
      view = opened;
    },
    check: async (state, data) => {
      await getView().waitUntilIdle();
      assert.deepEqual(await findBareEnglish(getView().page, data), [], state);
    },
    click: async (name) => {
      const label = toPseudoText(name);
      await getView().page.getByRole('button', { name: label, exact: true }).first().click();
    },
  };
}
