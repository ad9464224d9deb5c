import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import manifest from '../../../package.json';
import strings from '../../../package.nls.json';
import { appears, succeeds } from './appears';
import { until } from './until';

const viewTitle = 'Fleetwright';
const menuPatienceMs = 500;
const viewPatienceMs = 2_000;
const openPatienceMs = 10_000;
/** An extension host that starts beside much other work takes its time. */
const startLimitMs = 60_000;
const patienceMs = 60_000;

/**
 * Rows whose accessible name is this, or begins with it and goes on with another word: `bench-arm` is
 * not `bench-arm-main`, which may stand before it in the page.
 */
function named(name: string): string {
  const starts = [`${name} `, `${name},`].map((start) => `[aria-label^=${JSON.stringify(start)}]`);
  return `.monaco-list-row:is([aria-label=${JSON.stringify(name)}],${starts.join(',')})`;
}

/** The fleet in the side bar. */
export class FleetView {
  private readonly sidebar: Locator;

  constructor(private readonly page: Page) {
    this.sidebar = page.locator('.part.sidebar');
  }

  /** Brings the view to the front, and waits until it shows the fleet or offers to sign in. */
  async open(): Promise<void> {
    const item = this.page.locator('.activitybar .action-item').filter({
      has: this.page.locator(`.action-label[aria-label="${viewTitle}"]`),
    });
    await item.waitFor({ timeout: startLimitMs });
    const title = this.sidebar.locator('.composite.title', { hasText: viewTitle });
    // After a reload the view comes back by itself, and a click too early would close it again.
    const shown = this.page.locator('.monaco-workbench:not(.nosidebar) .action-item.checked');
    const come = async () => {
      if (await title.isVisible()) return true;
      if (!(await shown.and(item).isVisible())) {
        await succeeds(item.click({ timeout: viewPatienceMs }));
      }
      // A second click would close what the first opens.
      return appears(title, openPatienceMs);
    };
    await until('the fleet view is in front', come, startLimitMs);
    await this.sidebar
      .locator('.monaco-list-row')
      .or(this.sidebar.getByRole('button', { name: 'Sign In' }))
      .first()
      .waitFor({ timeout: startLimitMs });
  }

  /** A visible row by the start of its accessible name. */
  row(name: string): Locator {
    return this.sidebar.locator(named(name)).first();
  }

  /** The row that was revealed or clicked last, by the start of its accessible name. */
  selectedRow(name: string): Locator {
    return this.sidebar.locator(`${named(name)}[aria-selected="true"]`);
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

  /**
   * Opens rows from the top down, each below the one before, until the last one's children show. The
   * tree may be redrawn below a click, which then opens or closes another row: so it looks again
   * from the top.
   */
  async expand(...names: string[]): Promise<void> {
    for (const [index, last] of names.entries()) {
      await until(`"${last}" is open`, async () => {
        for (const name of names.slice(0, index + 1)) {
          if (!(await this.isSet(name, true))) return false;
        }
        return true;
      });
    }
  }

  /** Closes a row, so that what follows it comes into sight. */
  async collapse(name: string): Promise<void> {
    await until(`"${name}" is closed`, () => this.isSet(name, false));
  }

  /** Whether a row is open, or closed, or is so after a click. */
  private async isSet(name: string, expanded: boolean): Promise<boolean> {
    const row = this.row(name);
    if (!(await appears(row, viewPatienceMs))) return false;
    const wanted = this.sidebar.locator(`${named(name)}[aria-expanded="${expanded}"]`).first();
    if (await wanted.isVisible()) return true;
    await succeeds(row.locator('.monaco-tl-twistie').click({ timeout: viewPatienceMs }));
    return appears(wanted, viewPatienceMs);
  }

  /** Does what clicking a row's name does. What the click came to shows: the row has the focus. */
  async click(name: string): Promise<void> {
    await until(`"${name}" is clicked`, async () => {
      await this.label(name).click();
      return appears(this.focusedRow(name), viewPatienceMs);
    });
  }

  /** Selects these rows and no others. The tree may be redrawn in the meantime, so it looks again. */
  async select(first: string, ...more: string[]): Promise<void> {
    const names = [first, ...more];
    await until(`selected: ${names.join(', ')}`, async () => {
      if (await this.areSelected(names)) return true;
      await this.click(first);
      for (const name of more) {
        await this.label(name).click({ modifiers: ['ControlOrMeta'] });
      }
      return this.areSelected(names);
    });
  }

  private async areSelected(names: readonly string[]): Promise<boolean> {
    const selected = this.sidebar.locator('.monaco-list-row[aria-selected="true"]');
    const counts = await Promise.all(names.map((name) => this.selectedRow(name).count()));
    return counts.every((count) => count === 1) && (await selected.count()) === names.length;
  }

  /** Drags a row by its name onto another one; what is under the pointer is looked at on both. */
  async drag(name: string, onto: string): Promise<void> {
    const { mouse } = this.page;
    await until(`"${name}" is dragged onto "${onto}"`, async () => {
      if (!(await this.pointAt(name))) return false;
      await mouse.down();
      // The first move only begins to drag.
      const isThere = (await this.pointAt(onto)) && (await this.pointAt(onto));
      if (!isThere) await this.page.keyboard.press('Escape');
      await mouse.up();
      return isThere;
    });
  }

  /** Moves the pointer onto a row's name, and says whether that row is what is there then. */
  private async pointAt(name: string): Promise<boolean> {
    const box = await this.label(name).boundingBox();
    if (!box) return false;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await this.page.mouse.move(x, y);
    return this.row(name).evaluate(
      (row, point) => row.contains(document.elementFromPoint(point.x, point.y)),
      { x, y },
    );
  }

  private label(name: string): Locator {
    return this.row(name).locator('.label-name').first();
  }

  /** The row that was clicked last, also by a click that opened its menu. */
  private focusedRow(name: string): Locator {
    return this.sidebar.locator(`${named(name)}.focused`);
  }

  /**
   * Takes an entry of a row's context menu. What the row is may still be read when the menu opens, and
   * the tree may be redrawn below the click: a menu that does not offer the entry, or is of another
   * row, is closed and opened again.
   */
  async menu(name: string, entry: string): Promise<void> {
    const menu = this.page.locator('.context-view .monaco-menu');
    const item = menu
      .locator('.action-item:not(.disabled) > .action-menu-item .action-label', { hasText: entry })
      .first();
    const deadline = performance.now() + patienceMs;
    for (;;) {
      await this.row(name).click({ button: 'right' });
      if (await appears(menu.first(), viewPatienceMs)) {
        if (await this.opens(item, listSubmenusWith(entry))) {
          if (await appears(this.focusedRow(name), viewPatienceMs)) break;
        }
      }
      assert.ok(performance.now() < deadline, `The menu of "${name}" does not offer "${entry}"`);
      await this.closeMenu(menu);
    }
    // A menu lets the first clicks pass, so that the one which opened it takes nothing by accident;
    // and it may close between a look and a click.
    const timeout = menuPatienceMs;
    let isClicked = false;
    do {
      // On a busy machine a click is reported long after it was made.
      isClicked = (await succeeds(item.click({ timeout: openPatienceMs }))) || isClicked;
      assert.ok(performance.now() < deadline, `The menu of "${name}" does not close`);
    } while (!(await succeeds(menu.first().waitFor({ state: 'hidden', timeout }))));
    assert.ok(isClicked, `The menu of "${name}" closed before "${entry}" was clicked`);
  }

  /** Clicks a button that a row shows while the pointer is on it. */
  async button(name: string, title: string): Promise<void> {
    const button = this.row(name).locator(`.actions .action-label[aria-label^="${title}"]`);
    await until(`"${title}" of "${name}" is clicked`, async () => {
      if (!(await succeeds(this.row(name).hover({ timeout: viewPatienceMs })))) return false;
      return succeeds(button.click({ timeout: viewPatienceMs }));
    });
  }

  /** Returns the entries of a row's context menu, without those of submenus. */
  async menuEntries(name: string): Promise<readonly string[]> {
    const menu = this.page.locator('.context-view .monaco-menu');
    await until(`the menu of "${name}" is open`, async () => {
      await this.closeMenu(menu);
      if (!(await succeeds(this.row(name).click({ button: 'right', timeout: viewPatienceMs })))) {
        return false;
      }
      return appears(menu.first(), viewPatienceMs);
    });
    const entries = await menu
      .locator('.action-item .action-label:not(.separator)')
      .allInnerTexts();
    await this.closeMenu(menu);
    return entries.filter((entry) => entry !== '');
  }

  private async closeMenu(menu: Locator): Promise<void> {
    await until('the menu is closed', async () => {
      if (!(await menu.first().isVisible())) return true;
      await this.page.keyboard.press('Escape');
      return false;
    });
  }

  /** Returns whether the open menu, or one of these submenus, which it opens, has an entry. */
  private async opens(item: Locator, submenus: readonly string[]): Promise<boolean> {
    if (await item.isVisible()) return true;
    for (const label of submenus) {
      const submenu = this.page
        .locator('.context-view .monaco-menu .action-label')
        .filter({ hasText: new RegExp(`^${label}$`) });
      if (!(await submenu.isVisible())) continue;
      if (!(await succeeds(submenu.click({ timeout: viewPatienceMs })))) continue;
      if (await appears(item, viewPatienceMs)) return true;
    }
    return false;
  }
}

/** Labels of the submenus with an entry whose title has this text. */
function listSubmenusWith(entry: string): readonly string[] {
  const texts: Readonly<Record<string, string>> = strings;
  const toText = (key = ''): string => texts[key.replaceAll('%', '')] ?? key;
  const { commands, menus, submenus } = manifest.contributes;
  const ids = new Set(
    commands.filter(({ title }) => toText(title).includes(entry)).map(({ command }) => command),
  );
  return submenus
    .filter(({ id }) => {
      const items: readonly { readonly command?: string }[] =
        (menus as Readonly<Record<string, readonly { readonly command?: string }[]>>)[id] ?? [];
      return items.some(({ command = '' }) => ids.has(command));
    })
    .map(({ label }) => toText(label));
}
