import type { Locator, Page } from 'playwright-core';

const viewTitle = 'Fleetwright';
const menuPatienceMs = 500;
const viewPatienceMs = 2_000;

async function appears(locator: Locator): Promise<boolean> {
  return locator.waitFor({ timeout: viewPatienceMs }).then(
    () => true,
    () => false,
  );
}

/** The fleet in the side bar. */
export class FleetView {
  private readonly sidebar: Locator;

  constructor(private readonly page: Page) {
    this.sidebar = page.locator('.part.sidebar');
  }

  /** Brings the view to the front. */
  async open(): Promise<void> {
    const action = this.page.locator(`.activitybar .action-label[aria-label="${viewTitle}"]`);
    await action.waitFor();
    const title = this.sidebar.locator('.composite.title', { hasText: viewTitle });
    // After a reload the view comes back by itself, and a click too early would close it again.
    while (!(await appears(title))) await action.click();
  }

  /** A visible row by the start of its accessible name. */
  row(name: string): Locator {
    return this.sidebar.locator(`.monaco-list-row[aria-label^=${JSON.stringify(name)}]`).first();
  }

  /** The row that was revealed or clicked last, by the start of its accessible name. */
  selectedRow(name: string): Locator {
    return this.sidebar.locator(
      `.monaco-list-row[aria-selected="true"][aria-label^=${JSON.stringify(name)}]`,
    );
  }

  /** Names of the visible rows from top to bottom, as a screen reader reads them. */
  async rows(): Promise<string[]> {
    const rows = await this.sidebar.locator('.monaco-list-row').all();
    const named = await Promise.all(
      rows.map(async (row) => ({
        name: (await row.getAttribute('aria-label')) ?? '',
        index: Number(await row.getAttribute('data-index')),
      })),
    );
    return named.sort((a, b) => a.index - b.index).map(({ name }) => name);
  }

  /** Opens rows from the top down, each below the one before, until the last one's children show. */
  async expand(...names: string[]): Promise<void> {
    for (const name of names) {
      const row = this.row(name);
      await row.waitFor();
      if ((await row.getAttribute('aria-expanded')) === 'true') continue;
      await row.locator('.monaco-tl-twistie').click();
      await this.sidebar
        .locator(`.monaco-list-row[aria-label^=${JSON.stringify(name)}][aria-expanded="true"]`)
        .first()
        .waitFor();
    }
  }

  /** Closes a row, so that what follows it comes into sight. */
  async collapse(name: string): Promise<void> {
    const row = this.row(name);
    if ((await row.getAttribute('aria-expanded')) === 'true') {
      await row.locator('.monaco-tl-twistie').click();
    }
    await this.sidebar
      .locator(`.monaco-list-row[aria-label^=${JSON.stringify(name)}][aria-expanded="false"]`)
      .first()
      .waitFor();
  }

  /** Does what clicking a row's name does. */
  async click(name: string): Promise<void> {
    await this.row(name).locator('.label-name').first().click();
  }

  /** Selects several rows together. */
  async select(first: string, ...more: string[]): Promise<void> {
    await this.row(first).locator('.label-name').first().click();
    for (const name of more) {
      await this.row(name)
        .locator('.label-name')
        .first()
        .click({ modifiers: ['ControlOrMeta'] });
    }
  }

  /** Drags a row by its name onto another one. */
  async drag(name: string, onto: string): Promise<void> {
    await this.row(name)
      .locator('.label-name')
      .first()
      .dragTo(this.row(onto).locator('.label-name').first());
  }

  /** Takes an entry of a row's context menu. */
  async menu(name: string, entry: string): Promise<void> {
    await this.row(name).click({ button: 'right' });
    const item = this.page.locator('.context-view .action-label', { hasText: entry }).first();
    await item.waitFor();
    // A menu lets the first clicks pass, so that the one which opened it takes nothing by accident.
    while (await item.isVisible()) {
      await item.click();
      await item.waitFor({ state: 'hidden', timeout: menuPatienceMs }).catch(() => undefined);
    }
  }
}
