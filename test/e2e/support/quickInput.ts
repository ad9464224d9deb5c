import type { Locator, Page } from 'playwright-core';

/** The box at the top of the window: command palette, lists to pick from, and prompts. */
export class QuickInput {
  private readonly widget: Locator;
  private readonly input: Locator;

  constructor(private readonly page: Page) {
    this.widget = page.locator('.quick-input-widget:visible');
    this.input = this.widget.locator('input.input');
  }

  /** A row of the list by a piece of its text. */
  row(text: string): Locator {
    return this.widget.locator('.quick-input-list .monaco-list-row', { hasText: text });
  }

  /**
   * A row by what a screen reader says of it. Rows are used again and may hide an older text in
   * themselves, so that only this tells for sure that something is gone.
   */
  spokenRow(text: string): Locator {
    return this.widget.locator(`.monaco-list-row[aria-label*=${JSON.stringify(text)}]`);
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
    await this.type(filter);
    await this.row(text).first().click();
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
    await this.page.keyboard.press('Enter');
  }
}
