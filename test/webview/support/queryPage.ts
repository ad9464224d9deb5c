import type { Browser, Locator, Page } from 'playwright-core';
import { type QueryProtocol, queryProtocol } from '../../../src/shared/query/queryProtocol';
import type { FakeQueryHost } from './fakeQueryHost';
import type { ThemeKind } from './themes';
import { type AppFiles, WebviewPage } from './webviewPage';

interface QueryPageOptions {
  readonly host: FakeQueryHost;
  /** From `bundleApp('query')`. */
  readonly files: AppFiles;
  readonly theme?: ThemeKind;
  readonly state?: unknown;
}

/** The query panel in a browser, with a fake host. */
export class QueryPage {
  private constructor(
    readonly webview: WebviewPage<QueryProtocol>,
    readonly host: FakeQueryHost,
  ) {}

  /** Opens the panel and waits until its editor is there. */
  static async open(browser: Browser, { host, ...options }: QueryPageOptions): Promise<QueryPage> {
    const { handlers } = host;
    const webview = await WebviewPage.open(browser, {
      ...{ app: 'query', protocol: queryProtocol, handlers },
      ...options,
      onOpening: (page) => (host.page = page),
    });
    const opened = new QueryPage(webview, host);
    await opened.content.waitFor();
    return opened;
  }

  get page(): Page {
    return this.webview.page;
  }

  /** The editable element with its lines. */
  get content(): Locator {
    return this.page.locator('.cm-content');
  }

  get results(): Locator {
    return this.page.locator('.results');
  }

  /** Returns the visible text, without lines that are out of view. */
  async text(): Promise<string> {
    const lines = await this.page.locator('.cm-line').allTextContents();
    return lines.join('\n');
  }

  /** Types at the cursor like a user. */
  async write(text: string): Promise<void> {
    await this.content.focus();
    await this.page.keyboard.insertText(text);
  }

  /** Replaces the whole text. */
  async rewrite(text: string): Promise<void> {
    await this.content.focus();
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.insertText(text);
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  async close(): Promise<void> {
    await this.webview.close();
  }
}
