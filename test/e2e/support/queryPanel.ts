import type { ResultStatus } from '../../../src/shared/query/results';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { appears } from './appears';
import { until } from './until';
import { uiText } from './texts';

const patienceMs = 3_000;

/** `interactionDelay` of the editor's completions, plus a margin. */
const TAKES_KEYS_AFTER_MS = 100;

/** The active query panel. */
export class QueryPanel {
  private readonly frame: FrameLocator;

  constructor(private readonly page: Page) {
    this.frame = page
      .locator('iframe.webview.ready')
      .last()
      .contentFrame()
      .frameLocator('#active-frame');
  }

  /** Returns the query editor. */
  editor(language: 'SQL' | 'MQL' = 'SQL'): Locator {
    return this.frame.getByRole('textbox', { name: uiText('queryIn', language) });
  }

  /** Replaces the editor's text by typing key by key. */
  async write(text: string): Promise<void> {
    await this.replaceAll('');
    await this.page.keyboard.type(text);
  }

  /** Replaces the editor's text in one step. */
  async replaceAll(text: string): Promise<void> {
    await this.editor().click();
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.press('Delete');
    await this.page.keyboard.insertText(text);
  }

  /** Accepts a completion at the cursor by its name; it must be the first in the list. */
  async complete(name: string): Promise<void> {
    const offered = this.frame.locator('.cm-tooltip-autocomplete li[aria-selected=true]', {
      has: this.page.locator(`xpath=.//*[contains(@class,"cm-completionLabel")][.="${name}"]`),
    });
    await until(`the editor offers "${name}"`, async () => {
      if (await appears(offered, patienceMs)) return true;
      // Completions close when the focus is briefly elsewhere, for example right after the panel
      // opens.
      await this.editor().click();
      await this.page.keyboard.press('End');
      await this.page.keyboard.press('Control+Space');
      return appears(offered, patienceMs);
    });
    // The editor ignores keys for completions that have just appeared, because the user might have
    // meant them for the text.
    await offered.evaluate(
      (_, ms) => new Promise((done) => setTimeout(done, ms)),
      TAKES_KEYS_AFTER_MS,
    );
    await this.page.keyboard.press('Enter');
  }

  /** The ranges that are marked as errors. */
  get marked(): Locator {
    return this.frame.locator('.cm-lintRange-error');
  }

  /** Returns a problem in the list below the editor, by a substring of its message. */
  problem(text: string | RegExp): Locator {
    return this.frame.getByRole('list', { name: uiText('queryProblems') }).getByText(text);
  }

  /** Returns a button by its name or the start of its name. */
  button(name: string | RegExp): Locator {
    return this.frame.getByRole('button', { name });
  }

  /**
   * Returns the result once it is in a state, such as `complete`. @param rows number of its rows
   */
  result(state: ResultStatus['state'], rows?: number): Locator {
    const result = this.frame.locator(`.results[data-state=${state}]`);
    const grid = `[role=grid][aria-rowcount="${String((rows ?? 0) + 1)}"]`;
    return rows === undefined ? result.first() : result.locator(grid).first();
  }

  /** The notice that the service isn't responding. */
  get serviceNotice(): Locator {
    return this.frame.locator('.service-notice[role=alert]');
  }

  /** The table of rows. */
  get rows(): Locator {
    return this.frame.getByRole('grid');
  }

  /** Returns cells of the result with this text. */
  cell(text: string | RegExp): Locator {
    return this.rows.getByRole('gridcell', { name: text });
  }

  /** Returns the input for the value of a parameter. */
  parameter(name: string): Locator {
    return this.frame.getByRole('textbox', { name, exact: true });
  }

  /** Returns the element with this text in the status line below the result. */
  status(text: string | RegExp): Locator {
    return this.frame.locator('.result-status', { hasText: text });
  }

  /** Returns the element with this text anywhere in the panel. */
  text(text: string | RegExp): Locator {
    return this.frame.getByText(text);
  }

  /** Returns a control or region by its role and name. */
  role(role: Parameters<FrameLocator['getByRole']>[0], name: string | RegExp): Locator {
    return this.frame.getByRole(role, { name });
  }

  /** Presses keys, one after the other, at the current focus. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }
}
