import type { FrameLocator, Locator, Page } from 'playwright-core';

/** The page of a registry item in front. */
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

  /** Something that the page says. */
  text(text: string | RegExp): Locator {
    return this.frame.getByText(text).first();
  }

  /** Something in it that leads elsewhere. */
  link(name: string): Locator {
    return this.frame.getByRole('link', { name });
  }

  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: true });
  }
}
