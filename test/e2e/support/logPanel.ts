import type { FrameLocator, Locator, Page } from 'playwright-core';

/** The live log panel in front. */
export class LogPanel {
  private readonly frame: FrameLocator;

  constructor(page: Page) {
    this.frame = page
      .locator('iframe.webview.ready')
      .last()
      .contentFrame()
      .frameLocator('#active-frame');
  }

  /** The box for what lines have to say. */
  get filterBox(): Locator {
    return this.frame.getByRole('textbox', { name: 'Filter lines' });
  }

  /** What is wrong with the filter, as it is said below the box. */
  get filterProblem(): Locator {
    return this.frame.getByRole('alert');
  }

  /** Drawn lines with this text, of the part with this label. */
  line(text: string | RegExp, part?: string): Locator {
    const lines = this.frame.locator('.row.line', { hasText: text });
    return part === undefined ? lines : lines.filter({ hasText: part });
  }

  /** Marks of where lines are missing, or were. */
  gap(text: string | RegExp): Locator {
    return this.frame.locator('.row.gap', { hasText: text });
  }

  /** A part with its state. */
  part(label: string, state: string | RegExp): Locator {
    return this.frame.locator('.chip', { hasText: label }).filter({ hasText: state });
  }

  /** A button by its name or the start of it. */
  button(name: string | RegExp): Locator {
    return this.frame.getByRole('button', { name });
  }

  /** Switches the lines of a level on or off. */
  async toggleLevel(name: string): Promise<void> {
    const levels = this.frame.getByRole('group', { name: 'Levels' });
    await levels.getByRole('button', { name, exact: true }).click();
  }

  /** What the line below the rows says. */
  status(text: string | RegExp): Locator {
    return this.frame.locator('.status-line', { hasText: text });
  }

  /** Takes an entry of the menu of the panel. */
  async menu(entry: string): Promise<void> {
    await this.button('More').click();
    await this.frame.getByRole('menuitem', { name: entry }).click();
  }
}
