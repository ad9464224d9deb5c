import type { Locator, Page } from 'playwright-core';

const id = 'fleetwright.fleetwright#start';

/** The walkthrough that introduces the extension. */
export class Walkthrough {
  constructor(private readonly page: Page) {}

  /** The tab of the walkthrough, whether or not it is active. */
  get tab(): Locator {
    return this.page.locator('.tab[data-resource-name="vscode_getting_started_page"]');
  }

  /** Returns a step by its ID; matches only once the step is completed. */
  completed(step: string): Locator {
    return this.page.locator(`[data-done-step-id="${id}#${step}"][aria-checked="true"]`).first();
  }

  /** The button of the expanded step. */
  get button(): Locator {
    // Select by class: the step itself is a button, and elements inside a button have no role.
    return this.page.locator('.getting-started-step.expanded .monaco-button');
  }

  /** The image of the expanded step; exists once it is loaded. */
  get image(): Locator {
    return this.page.locator('.getting-started-media img');
  }

  /** Expands a step. */
  async expand(step: string): Promise<void> {
    await this.page.locator(`.getting-started-step[data-step-id="${id}#${step}"]`).click();
  }

  /** Closes the tab of the walkthrough. */
  async close(): Promise<void> {
    await this.tab.click({ button: 'middle' });
    await this.tab.waitFor({ state: 'detached' });
  }

  /** Activates the tab of the walkthrough. */
  async show(): Promise<void> {
    await this.tab.click();
  }
}
