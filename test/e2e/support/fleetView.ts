import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { appears, succeeds } from './appears';
import { type CommandId, getCommandTitle, listSubmenus, uiText } from './texts';
import { until } from './until';

const viewTitle = 'Fleetwright';
const menuPatienceMs = 500;
const viewPatienceMs = 2_000;
const openPatienceMs = 10_000;
/** Time limit for starting an extension host, which is slow on a busy computer. */
const startLimitMs = 60_000;
const patienceMs = 60_000;

/**
 * Returns a selector for rows with this accessible name or with a longer one that continues with
 * another word: `bench-arm` doesn't match `bench-arm-main`, which can precede it on the page.
 */
function named(name: string): string {
  const starts = [`${name} `, `${name},`].map((start) => `[aria-label^=${JSON.stringify(start)}]`);
  return `.monaco-list-row:is([aria-label=${JSON.stringify(name)}],${starts.join(',')})`;
}

/** The fleet view in the side bar. */
export class FleetView {
  private readonly sidebar: Locator;

  constructor(private readonly page: Page) {
    this.sidebar = page.locator('.part.sidebar');
  }

  /** Shows the view, and waits until it contains the fleet or offers to sign in. */
  async open(): Promise<void> {
    const item = this.page.locator('.activitybar .action-item').filter({
      has: this.page.locator(`.action-label[aria-label="${viewTitle}"]`),
    });
    await item.waitFor({ timeout: startLimitMs });
    const title = this.sidebar.locator('.composite.title', { hasText: viewTitle });
    // After a reload, VS Code restores the view automatically, and an early click would close the
    // view again.
    const shown = this.page.locator('.monaco-workbench:not(.nosidebar) .action-item.checked');
    const come = async () => {
      if (await title.isVisible()) return true;
      if (!(await shown.and(item).isVisible())) {
        await succeeds(item.click({ timeout: viewPatienceMs }));
      }
      // Don't click again too early: a second click would close the view that the first click
      // opens.
      return appears(title, openPatienceMs);
    };
    await until('the fleet view is in front', come, startLimitMs);
    await this.sidebar
      .locator('.monaco-list-row')
      .or(this.sidebar.getByRole('button', { name: uiText('signIn') }))
      .first()
      .waitFor({ timeout: startLimitMs });
  }

  /** Returns a visible row by the start of its accessible name. */
  row(name: string): Locator {
    return this.sidebar.locator(named(name)).first();
  }

  /**
   * Returns the row that was revealed or clicked most recently, by the start of its accessible
   * name.
   */
  selectedRow(name: string): Locator {
    return this.sidebar.locator(`${named(name)}[aria-selected="true"]`);
  }

  /** Returns the names of the visible rows from top to bottom, as screen readers announce them. */
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
   * Expands rows from the top, each below the previous one, until the children of the last row are
   * visible. If the tree is redrawn during a click, the click affects another row, so this method
   * starts again from the top.
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

  /** Collapses a row, so that the rows below it become visible. */
  async collapse(name: string): Promise<void> {
    await until(`"${name}" is closed`, () => this.isSet(name, false));
  }

  /**
   * Returns true if a row has the requested state (expanded or collapsed); clicks the row if it
   * doesn't.
   */
  private async isSet(name: string, expanded: boolean): Promise<boolean> {
    const row = this.row(name);
    if (!(await appears(row, viewPatienceMs))) return false;
    const target = this.sidebar.locator(`${named(name)}[aria-expanded="${expanded}"]`).first();
    if (await target.isVisible()) return true;
    await succeeds(row.locator('.monaco-tl-twistie').click({ timeout: viewPatienceMs }));
    return appears(target, viewPatienceMs);
  }

  /** Clicks a row's name. The click was successful if the row then has the focus. */
  async click(name: string): Promise<void> {
    await until(`"${name}" is clicked`, async () => {
      await this.label(name).click();
      return appears(this.focusedRow(name), viewPatienceMs);
    });
  }

  /**
   * Selects exactly these rows. Checks the selection again afterward, because the tree can be
   * redrawn in the meantime.
   */
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

  /**
   * Drags a row by its name onto another row; for both rows, checks that the row is under the
   * pointer.
   */
  async drag(name: string, onto: string): Promise<void> {
    const { mouse } = this.page;
    await until(`"${name}" is dragged onto "${onto}"`, async () => {
      if (!(await this.pointAt(name))) return false;
      await mouse.down();
      // Move twice, because the first move only starts the drag.
      const isThere = (await this.pointAt(onto)) && (await this.pointAt(onto));
      if (!isThere) await this.page.keyboard.press('Escape');
      await mouse.up();
      return isThere;
    });
  }

  /** Moves the pointer to a row's name, and returns true if that row is under the pointer. */
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

  /** Returns the row that was clicked most recently, even if the click opened its menu. */
  private focusedRow(name: string): Locator {
    return this.sidebar.locator(`${named(name)}.focused`);
  }

  /**
   * Selects a command in a row's context menu. The row might still be loading when the menu opens,
   * and the tree can be redrawn during the click. Therefore, a menu without the command or
   * belongs to another row is closed and opened again. @param translate translates the command's
   * title and the labels of submenus
   */
  async menu(
    name: string,
    command: CommandId,
    translate: (english: string) => string = (english) => english,
  ): Promise<void> {
    const entry = translate(getCommandTitle(command));
    const submenus = listSubmenus(command).map(translate);
    const menu = this.page.locator('.context-view .monaco-menu');
    const item = menu
      .locator('.action-item:not(.disabled) > .action-menu-item .action-label', { hasText: entry })
      .first();
    const deadline = performance.now() + patienceMs;
    for (;;) {
      await this.row(name).click({ button: 'right' });
      if (await appears(menu.first(), viewPatienceMs)) {
        if (await this.opens(item, submenus)) {
          if (await appears(this.focusedRow(name), viewPatienceMs)) break;
        }
      }
      assert.ok(performance.now() < deadline, `The menu of "${name}" does not offer "${entry}"`);
      await this.closeMenu(menu);
    }
    // A menu ignores the first clicks, so that the click that opened it doesn't accidentally select
    // an entry. It can also close between a check and a click.
    const timeout = menuPatienceMs;
    let isClicked = false;
    do {
      // On a busy computer, Playwright reports a click long after it happened.
      isClicked = (await succeeds(item.click({ timeout: openPatienceMs }))) || isClicked;
      assert.ok(performance.now() < deadline, `The menu of "${name}" does not close`);
    } while (!(await succeeds(menu.first().waitFor({ state: 'hidden', timeout }))));
    assert.ok(isClicked, `The menu of "${name}" closed before "${entry}" was clicked`);
  }

  /** Clicks a command's button, which a row shows while the pointer is on it. */
  async button(name: string, command: CommandId): Promise<void> {
    const title = getCommandTitle(command);
    const button = this.row(name).locator(`.actions .action-label[aria-label^="${title}"]`);
    await until(`"${title}" of "${name}" is clicked`, async () => {
      if (!(await succeeds(this.row(name).hover({ timeout: viewPatienceMs })))) return false;
      return succeeds(button.click({ timeout: viewPatienceMs }));
    });
  }

  /** Returns the entries of a row's context menu, not including the entries of submenus. */
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

  /**
   * Returns true if the open menu has an entry, directly or in one of the given submenus; opens
   * these submenus.
   */
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
