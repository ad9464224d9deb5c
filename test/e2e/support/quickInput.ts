import type { Locator, Page } from 'playwright-core';
import { appears } from './appears';
import { until } from './until';

const rowPatienceMs = 1_000;

/** The box at the top of the window: command palette, lists to pick from, and prompts. */
export class QuickInput {
  private readonly widget: Locator;
  private readonly input: Locator;

  constructor(page: Page) {
    this.widget = page.locator('.quick-input-widget:visible');
    this.input = this.widget.locator('input.input');
  }

  /**
   * A row of the list by a piece of what a screen reader says of it, in any case. Rows are used again
   * and may hide an older text in themselves, so that only this tells for sure what a row is.
   */
  row(text: string): Locator {
    const label = JSON.stringify(text);
    return this.widget.locator(`.quick-input-list .monaco-list-row[aria-label*=${label} i]`);
  }

  /** The title by a piece of its text; questions with several steps end it with `(1/3)`. */
  title(text: string): Locator {
    return this.widget.locator('.quick-input-title', { hasText: text });
  }

  /** What is wrong with the text typed so far, as the prompt says it. */
  get problem(): Locator {
    return this.widget.locator('.quick-input-message');
  }

  /** Types into the box, in place of what it held. */
  async type(text: string): Promise<void> {
    await this.input.fill(text);
  }

  /** Narrows the list with `filter` and takes the first row that holds `text`. */
  async pick(text: string, filter = text): Promise<void> {
    const row = this.row(text).first();
    // What was typed is gone if it went into the box of the step before, which may still stand there.
    await until(`there is a row "${text}"`, async () => {
      if ((await this.input.inputValue()) !== filter) await this.type(filter);
      return appears(row, rowPatienceMs);
    });
    await row.click();
  }

  /** How many of a list with several choices are chosen, as the box counts them. */
  selectedCount(text: string): Locator {
    return this.widget.locator('.quick-input-count', { hasText: text });
  }

  /** Confirms what is typed or chosen. */
  async accept(): Promise<void> {
    await this.input.press('Enter');
  }

  /** Types and confirms. */
  async answer(text: string): Promise<void> {
    await this.type(text);
    await this.accept();
  }
}
