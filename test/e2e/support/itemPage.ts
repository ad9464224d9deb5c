import type { FrameLocator, Locator, Page } from 'playwright-core';

/** The active page of a registry item. */
export class ItemPage {
  private readonly frame: FrameLocator;

  constructor(page: Page) {
    this.frame = page
      .locator('iframe.webview.ready')
      .last()
      .contentFrame()
      .frameLocator('#active-frame');
  }

  heading(name: string): Locator {
    return this.frame.getByRole('heading', { name });
  }

  /** Returns the element with this text on the page. */
  text(text: string | RegExp): Locator {
    return this.frame.getByText(text).first();
  }

  /** Returns a link on the page. */
  link(name: string): Locator {
    return this.frame.getByRole('link', { name });
  }

  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: true });
  }
}
