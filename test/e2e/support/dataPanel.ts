import type { FrameLocator, Locator, Page } from 'playwright-core';
import { uiText } from './texts';

/** The active data panel. */
export class DataPanel {
  private readonly frame: FrameLocator;

  constructor(private readonly page: Page) {
    this.frame = page
      .locator('iframe.webview.ready')
      .last()
      .contentFrame()
      .frameLocator('#active-frame');
  }

  /** Returns a tab. If `count` is specified, the tab matches only once it shows this count. */
  tab(name: string, count?: string): Locator {
    const tab = this.frame.getByRole('tab', { name });
    return count === undefined ? tab : tab.filter({ hasText: count });
  }

  /** Returns a button by its name or the start of its name. */
  button(name: string | RegExp): Locator {
    return this.frame.getByRole('button', { name });
  }

  /** Shows or hides the fields of the filter. */
  async toggleFilter(): Promise<void> {
    await this.frame
      .getByRole('button', { name: new RegExp(`^(. )?${uiText('filter')}$`) })
      .click();
  }

  /** Returns a text input of the filter by its label. */
  getFilterInput(name: string): Locator {
    return this.frame.getByRole('textbox', { name, exact: true });
  }

  /** Returns a select field of the filter by its label. */
  filterChoice(name: string): Locator {
    return this.frame.locator('select').and(this.frame.getByLabel(name, { exact: true }));
  }

  /** The grid or list of the tab's items. */
  get items(): Locator {
    return this.frame.getByRole('grid');
  }

  /** Returns an item of the grid by its zero-based index. */
  item(index: number): Locator {
    return this.frame.locator(`[id="item-${index}"]`);
  }

  /**
   * Returns the element with this text in the selection bar, such as the number of selected items.
   */
  selected(text: string): Locator {
    return this.frame.getByText(text, { exact: true });
  }

  /** Returns the text with the position of the open item, such as `1 of 240`. */
  position(text: string | RegExp): Locator {
    return this.frame.locator('.detail-bar').getByText(text);
  }

  /** The image on which users draw boxes. */
  get picture(): Locator {
    return this.frame.getByRole('application', { name: uiText('imageName') });
  }

  /** The button that starts a new box; available once the image and its boxes are loaded. */
  get readyToDraw(): Locator {
    return this.frame.locator('button[aria-disabled=false]', { hasText: uiText('drawBox') });
  }

  /** The notice that the service isn't responding. */
  get silenceNotice(): Locator {
    return this.frame.locator('.silence-notice[role=status]');
  }

  /** Returns the element with this text anywhere in the panel. */
  text(text: string | RegExp): Locator {
    return this.frame.getByText(text);
  }

  /** Returns a control or region by its role and name. */
  role(role: Parameters<FrameLocator['getByRole']>[0], name: string | RegExp): Locator {
    return this.frame.getByRole(role, { name });
  }

  /** Presses keys, one after the other, at the current focus. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }
}
