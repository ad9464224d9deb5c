import type { Locator, Page } from 'playwright-core';

const id = 'fleetwright.fleetwright#start';

/** The walkthrough that introduces the extension. */
export class Walkthrough {
  constructor(private readonly page: Page) {}

  /** Its tab, in front or not. */
  get tab(): Locator {
    return this.page.locator('.tab[data-resource-name="vscode_getting_started_page"]');
  }

  /** A step by its ID, once it is completed. */
  completed(step: string): Locator {
    return this.page.locator(`[data-done-step-id="${id}#${step}"][aria-checked="true"]`).first();
  }

  /** A button of the step that is expanded. */
  button(name: string): Locator {
    // The step is a button too, and nothing in a button has a role.
    return this.page.locator('.getting-started-step.expanded .monaco-button', { hasText: name });
  }

  /** The image of the step that is expanded, once it is loaded. */
  get image(): Locator {
    return this.page.locator('.getting-started-media img');
  }

  /** Expands a step. */
  async expand(step: string): Promise<void> {
    await this.page.locator(`.getting-started-step[data-step-id="${id}#${step}"]`).click();
  }

  /** Closes its tab. */
  async close(): Promise<void> {
    await this.tab.click({ button: 'middle' });
    await this.tab.waitFor({ state: 'detached' });
  }

  /** Brings it to the front. */
  async show(): Promise<void> {
    await this.tab.click();
  }
}
