import type { Locator, Page } from 'playwright-core';
import { appears } from './appears';
import { until } from './until';

const patienceMs = 3_000;

/** A file with queries, active in VS Code's text editor. */
export class QueryFile {
  constructor(private readonly page: Page) {}

  /**
   * Returns a code lens above a query, such as `Run`, by its full text. Searches all visible files.
   */
  lens(text: string): Locator {
    return this.page.locator('.codelens-decoration a', { hasText: new RegExp(`^\\s*${text}$`) });
  }

  /** Like `lens`, but searches only the file that has the focus. */
  lensInFront(text: string): Locator {
    return this.page.locator('.editor-group-container.active').locator(this.lens(text));
  }

  /** Returns an editor suggestion at the cursor by its name. */
  private suggestion(name: string): Locator {
    return this.page.locator(
      `.suggest-widget.visible .monaco-list-row[aria-label^=${JSON.stringify(name)}]`,
    );
  }

  /** Waits until the editor suggests a name; requests suggestions if typing didn't trigger them. */
  async offers(name: string): Promise<void> {
    await this.offered(this.suggestion(name), name);
  }

  private async offered(row: Locator, name: string): Promise<void> {
    await until(`the editor offers "${name}"`, async () => {
      if (await appears(row, patienceMs)) return true;
      await this.page.keyboard.press('Escape');
      await this.page.keyboard.press('ControlOrMeta+Space');
      return appears(row, patienceMs);
    });
  }

  /** Accepts an editor suggestion at the cursor; it must be the first in the list. */
  async accept(name: string): Promise<void> {
    await this.offered(this.suggestion(name).and(this.page.locator('.focused')), name);
    await this.page.keyboard.press('Tab');
  }

  /** The ranges that are marked as errors. */
  get errors(): Locator {
    return this.page.locator('.editor-instance .squiggly-error');
  }

  /** The ranges that are marked as warnings. */
  get warnings(): Locator {
    return this.page.locator('.editor-instance .squiggly-warning');
  }

  /** Goes to the next problem, and waits until the editor shows the expected message. */
  async goToProblem(text: string): Promise<void> {
    const marker = this.page.locator('.marker-widget', { hasText: text });
    await until(`the editor says "${text}"`, async () => {
      await this.page.keyboard.press('Alt+F8');
      return appears(marker, patienceMs);
    });
    await this.page.keyboard.press('Escape');
  }

  /** Applies the quick fix with this title at the cursor. */
  async fix(title: string): Promise<void> {
    const action = this.page.locator('.action-widget .monaco-list-row', { hasText: title });
    await until(`"${title}" is offered`, async () => {
      await this.page.keyboard.press('ControlOrMeta+.');
      return appears(action, patienceMs);
    });
    await action.click();
  }
}
