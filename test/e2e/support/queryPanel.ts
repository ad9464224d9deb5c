import type { FrameLocator, Locator, Page } from 'playwright-core';
import { appears } from './appears';
import { until } from './until';

const patienceMs = 3_000;

/** `interactionDelay` of the editor's completions, and a little more. */
const TAKES_KEYS_AFTER_MS = 100;

/** The query panel in front. */
export class QueryPanel {
  private readonly frame: FrameLocator;

  constructor(private readonly page: Page) {
    this.frame = page
      .locator('iframe.webview.ready')
      .last()
      .contentFrame()
      .frameLocator('#active-frame');
  }

  /** Where the query is written. */
  editor(language: 'SQL' | 'MQL' = 'SQL'): Locator {
    return this.frame.getByRole('textbox', { name: `Query in ${language}` });
  }

  /** Types into the editor, key by key, in the place of what it held. */
  async write(text: string): Promise<void> {
    await this.replaceAll('');
    await this.page.keyboard.type(text);
  }

  /** Puts a text into the editor at once, in the place of what it held. */
  async replaceAll(text: string): Promise<void> {
    await this.editor().click();
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.press('Delete');
    await this.page.keyboard.insertText(text);
  }

  /** Takes what the editor offers at the cursor, by its name; it must be the first. */
  async complete(name: string): Promise<void> {
    const offered = this.frame.locator('.cm-tooltip-autocomplete li[aria-selected=true]', {
      has: this.page.locator(`xpath=.//*[contains(@class,"cm-completionLabel")][.="${name}"]`),
    });
    await until(`the editor offers "${name}"`, async () => {
      if (await appears(offered, patienceMs)) return true;
      // They close when the keyboard is elsewhere for a moment, as when the panel has only just opened.
      await this.editor().click();
      await this.page.keyboard.press('End');
      await this.page.keyboard.press('Control+Space');
      return appears(offered, patienceMs);
    });
    // The editor takes no key for what has only just come: it may be meant for the text.
    await offered.evaluate(
      (_, ms) => new Promise((done) => setTimeout(done, ms)),
      TAKES_KEYS_AFTER_MS,
    );
    await this.page.keyboard.press('Enter');
  }

  /** The stretches that are marked as wrong. */
  get marked(): Locator {
    return this.frame.locator('.cm-lintRange-error');
  }

  /** A problem of the list below the editor, by a piece of what it says. */
  problem(text: string | RegExp): Locator {
    return this.frame.getByRole('list', { name: 'Problems of the query' }).getByText(text);
  }

  /** A button by its name or the start of it. */
  button(name: string | RegExp): Locator {
    return this.frame.getByRole('button', { name });
  }

  /** The table of rows. */
  get rows(): Locator {
    return this.frame.getByRole('grid');
  }

  /** Cells of the result with this text. */
  cell(text: string | RegExp): Locator {
    return this.rows.getByRole('gridcell', { name: text });
  }

  /** The box for the value of a parameter. */
  parameter(name: string): Locator {
    return this.frame.getByRole('textbox', { name, exact: true });
  }

  /** What the line below the result says. */
  status(text: string | RegExp): Locator {
    return this.frame.locator('.result-status', { hasText: text });
  }

  /** A text anywhere in the panel. */
  text(text: string | RegExp): Locator {
    return this.frame.getByText(text);
  }

  /** A control or region by its role and name. */
  role(role: Parameters<FrameLocator['getByRole']>[0], name: string | RegExp): Locator {
    return this.frame.getByRole(role, { name });
  }

  /** Presses keys, one after the other, where the focus is. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }
}
