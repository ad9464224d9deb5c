import type { FrameLocator, Locator, Page } from 'playwright-core';
import { uiText } from './texts';

/** The active live log panel. */
export class LogPanel {
  private readonly frame: FrameLocator;

  constructor(page: Page) {
    this.frame = page
      .locator('iframe.webview.ready')
      .last()
      .contentFrame()
      .frameLocator('#active-frame');
  }

  /** The text filter of lines. */
  get filterBox(): Locator {
    return this.frame.getByRole('textbox', { name: uiText('filterLines') });
  }

  /** The error message of the filter, below the input. */
  get filterProblem(): Locator {
    return this.frame.getByRole('alert');
  }

  /** Returns drawn lines with this text, from the part with this label. */
  line(text: string | RegExp, part?: string): Locator {
    const lines = this.frame.locator('.row.line', { hasText: text });
    return part === undefined ? lines : lines.filter({ hasText: part });
  }

  /** Returns the rows for gaps, that is, lines that are or were missing. */
  gap(text: string | RegExp): Locator {
    return this.frame.locator('.row.gap', { hasText: text });
  }

  /** Returns the chip of a part that is in the given state. */
  part(label: string, state: string | RegExp): Locator {
    return this.frame.locator('.chip', { hasText: label }).filter({ hasText: state });
  }

  /** Returns a button by its name or the start of its name. */
  button(name: string | RegExp): Locator {
    return this.frame.getByRole('button', { name });
  }

  /** Toggles the lines of a level. */
  async toggleLevel(name: string): Promise<void> {
    const levels = this.frame.getByRole('group', { name: uiText('levels') });
    await levels.getByRole('button', { name, exact: true }).click();
  }

  /** Returns the element with this text in the status line below the rows. */
  status(text: string | RegExp): Locator {
    return this.frame.locator('.status-line', { hasText: text });
  }

  /** Selects an entry of the panel's menu. */
  async menu(entry: string): Promise<void> {
    await this.button(uiText('more')).click();
    await this.frame.getByRole('menuitem', { name: entry }).click();
  }
}
