import type { FrameLocator, Locator, Page } from 'playwright-core';

/** The tabs of a data panel, as they are called. */
export type DataTabName = 'Images' | 'Point Clouds' | 'Files' | 'Readings';

/** The data panel in front. */
export class DataPanel {
  private readonly frame: FrameLocator;

  constructor(private readonly page: Page) {
    this.frame = page
      .locator('iframe.webview.ready')
      .last()
      .contentFrame()
      .frameLocator('#active-frame');
  }

  /** A tab, with how much it has once it is counted. */
  tab(name: DataTabName, count?: string): Locator {
    const tab = this.frame.getByRole('tab', { name });
    return count === undefined ? tab : tab.filter({ hasText: count });
  }

  /** A button by its name or the start of it. */
  button(name: string | RegExp): Locator {
    return this.frame.getByRole('button', { name });
  }

  /** Shows or hides the fields of the filter. */
  async toggleFilter(): Promise<void> {
    await this.frame.getByRole('button', { name: /^(. )?Filter$/ }).click();
  }

  /** A text box of the filter by its name. */
  filterText(name: string): Locator {
    return this.frame.getByRole('textbox', { name, exact: true });
  }

  /** A field of the filter that is one of a few choices. */
  filterChoice(name: string): Locator {
    return this.frame.locator('select').and(this.frame.getByLabel(name, { exact: true }));
  }

  /** The grid or list of what the tab shows. */
  get items(): Locator {
    return this.frame.getByRole('grid');
  }

  /** An item of the grid by its place, from 0. */
  item(place: number): Locator {
    return this.frame.locator(`[id="item-${place}"]`);
  }

  /** What the bar of selected items says. */
  selected(text: string): Locator {
    return this.frame.getByText(text, { exact: true });
  }

  /** The place of the item that is shown large, such as `1 of 240`. */
  position(text: string | RegExp): Locator {
    return this.frame.locator('.detail-bar').getByText(text);
  }

  /** The picture that boxes are drawn on. */
  get picture(): Locator {
    return this.frame.getByRole('application', { name: /^Picture / });
  }

  /** The button that begins a box, once the picture and its boxes are there. */
  get readyToDraw(): Locator {
    return this.frame.locator('button[aria-disabled=false]', { hasText: 'Draw Box' });
  }

  /** A text anywhere in the panel. */
  text(text: string | RegExp): Locator {
    return this.frame.getByText(text);
  }

  /** A control or region by its role and name. */
  role(role: Parameters<FrameLocator['getByRole']>[0], name: string | RegExp): Locator {
    return this.frame.getByRole(role, { name });
  }

  /** Presses keys, one after the other, where the focus is. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }
}
