import type { Locator, Page } from 'playwright-core';
import { appears } from './appears';
import { until } from './until';

const patienceMs = 3_000;

/** A file with queries, in front in VS Code's own editor. */
export class QueryFile {
  constructor(private readonly page: Page) {}

  /** What stands above a query, such as `Run`, by its whole text; of all files that are seen. */
  lens(text: string): Locator {
    return this.page.locator('.codelens-decoration a', { hasText: new RegExp(`^\\s*${text}$`) });
  }

  /** The same of the file that has the keyboard. */
  lensInFront(text: string): Locator {
    return this.page.locator('.editor-group-container.active').locator(this.lens(text));
  }

  /** What the editor offers at the cursor, by its name. */
  private suggestion(name: string): Locator {
    return this.page.locator(
      `.suggest-widget.visible .monaco-list-row[aria-label^=${JSON.stringify(name)}]`,
    );
  }

  /** Waits until the editor offers something; asks for it when typing did not. */
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

  /** Takes what the editor offers at the cursor, the first of the list. */
  async accept(name: string): Promise<void> {
    await this.offered(this.suggestion(name).and(this.page.locator('.focused')), name);
    await this.page.keyboard.press('Tab');
  }

  /** The stretches that are marked as wrong. */
  get errors(): Locator {
    return this.page.locator('.editor-instance .squiggly-error');
  }

  /** The stretches that are marked as doubtful. */
  get warnings(): Locator {
    return this.page.locator('.editor-instance .squiggly-warning');
  }

  /** Goes to the next problem, and waits until the editor says of it what is expected. */
  async goToProblem(text: string): Promise<void> {
    const said = this.page.locator('.marker-widget', { hasText: text });
    await until(`the editor says "${text}"`, async () => {
      await this.page.keyboard.press('Alt+F8');
      return appears(said, patienceMs);
    });
    await this.page.keyboard.press('Escape');
  }

  /** Mends what is at the cursor by the quick fix with this title. */
  async fix(title: string): Promise<void> {
    const action = this.page.locator('.action-widget .monaco-list-row', { hasText: title });
    await until(`"${title}" is offered`, async () => {
      await this.page.keyboard.press('ControlOrMeta+.');
      return appears(action, patienceMs);
    });
    await action.click();
  }
}
