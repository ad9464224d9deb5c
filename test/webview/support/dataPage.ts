import type { Browser, Locator, Page } from 'playwright-core';
import type { DataTab } from '../../../src/shared/data/dataPanel';
import { type DataProtocol, dataProtocol } from '../../../src/shared/data/dataProtocol';
import type { FakeDataHost } from './fakeDataHost';
import type { ThemeKind } from './themes';
import { type AppFiles, WebviewPage } from './webviewPage';

interface DataPageOptions {
  readonly host: FakeDataHost;
  /** The result of `bundleApp('data')`, plus other bundles if a test needs them. */
  readonly files: AppFiles;
  readonly theme?: ThemeKind;
  readonly state?: unknown;
  /** Page that `openPage` has opened. If absent, a page is opened. */
  readonly page?: Page;
}

/** The data panel in a browser, with a fake host. */
export class DataPage {
  private constructor(
    readonly webview: WebviewPage<DataProtocol>,
    readonly host: FakeDataHost,
  ) {}

  /** Opens the panel and waits until it shows the host's counts. */
  static async open(browser: Browser, { host, ...options }: DataPageOptions): Promise<DataPage> {
    const { handlers } = host;
    const webview = await WebviewPage.open(browser, {
      app: 'data',
      protocol: dataProtocol,
      handlers,
      ...options,
      onOpening: (page) => (host.page = page),
    });
    const opened = new DataPage(webview, host);
    await opened.page.locator('.tab-count:text-matches("^[0-9,?]+$")').nth(3).waitFor();
    return opened;
  }

  get page(): Page {
    return this.webview.page;
  }

  tab(name: DataTab): Locator {
    return this.page.locator(`#tab-${name}`);
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  async close(): Promise<void> {
    await this.webview.close();
  }
}
