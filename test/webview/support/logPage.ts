import type { Browser, Locator, Page } from 'playwright-core';
import { type LogsProtocol, logsProtocol } from '../../../src/shared/logs';
import { waitUntil } from '../../support/waitUntil';
import type { FakeLogHost } from './fakeLogHost';
import type { ThemeKind } from './themes';
import { type AppFiles, drawn, WebviewPage } from './webviewPage';

interface LogPageOptions {
  readonly host: FakeLogHost;
  readonly files: AppFiles;
  readonly theme?: ThemeKind;
  readonly state?: unknown;
}

/** The log panel in a browser, with a fake host. */
export class LogPage {
  private constructor(
    readonly webview: WebviewPage<LogsProtocol>,
    readonly host: FakeLogHost,
  ) {}

  static async open(browser: Browser, { host, ...options }: LogPageOptions): Promise<LogPage> {
    const { handlers } = host;
    const protocol = logsProtocol;
    const webview = await WebviewPage.open(browser, {
      app: 'logs',
      protocol,
      handlers,
      ...options,
    });
    host.notify = (change) => webview.notify('changed', change);
    await webview.page.locator('.lines').waitFor();
    return new LogPage(webview, host);
  }

  get page(): Page {
    return this.webview.page;
  }

  get list(): Locator {
    return this.page.locator('.lines');
  }

  getRow(number: number): Locator {
    return this.page.locator(`#row-${number}`);
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  menuItem(name: string): Locator {
    return this.page.locator('.menu-item').filter({ hasText: name });
  }

  /** Waits until the panel has drawn the last change, and all visible rows are loaded. */
  async waitUntilIdle(): Promise<void> {
    const { host, page } = this;
    const last = host.revision;
    await waitUntil(() => last === 0 || host.drawn.includes(last));
    // The page receives the scroll event only in the next frame; before that, no rows are missing
    // yet.
    await drawn(page);
    await page.locator('.row.placeholder').first().waitFor({ state: 'detached' });
    await drawn(page);
  }

  /**
   * Returns the numbers of the completely visible rows, in order, with their distances from the top
   * of the list in pixels.
   */
  async seen(): Promise<readonly { readonly number: number; readonly top: number }[]> {
    return this.list.evaluate((list) => {
      const { top, bottom } = list.getBoundingClientRect();
      return [...list.querySelectorAll<HTMLElement>('.row[data-key]')]
        .map((row) => ({ row, box: row.getBoundingClientRect() }))
        .filter(({ box }) => box.top >= top - 0.5 && box.bottom <= bottom + 0.5)
        .map(({ row, box }) => ({ number: Number(row.dataset.key), top: box.top - top }));
    });
  }

  /** Scrolls by a number of pixels with the mouse wheel. */
  async wheel(pixels: number): Promise<void> {
    await this.list.hover();
    await this.page.mouse.wheel(0, pixels);
  }

  /** Scrolls to a fraction of the total height with the scrollbar. */
  async drag(part: number): Promise<void> {
    await this.list.evaluate((list, to) => {
      list.scrollTop = to * (list.scrollHeight - list.clientHeight);
    }, part);
    await this.waitUntilIdle();
  }
}
