import type { Browser, Locator, Page } from 'playwright-core';
import { type QueryProtocol, queryProtocol } from '../../../src/shared/query/queryPanel';
import type { FakeQueryHost } from './fakeQueryHost';
import type { ThemeKind } from './themes';
import { type AppFiles, WebviewPage } from './webviewPage';

interface QueryPageOptions {
  readonly host: FakeQueryHost;
  /** The result of `bundleApp('query')`. */
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

  /** Opens the panel and waits until the editor is shown. */
  static async open(browser: Browser, { host, ...options }: QueryPageOptions): Promise<QueryPage> {
    const { handlers } = host;
    const webview = await WebviewPage.open(browser, {
      app: 'query',
      protocol: queryProtocol,
      handlers,
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

  /** The editable element that contains the lines. */
  get content(): Locator {
    return this.page.locator('.cm-content');
  }

  get results(): Locator {
    return this.page.locator('.results');
  }

  /** Returns the visible text; lines outside the viewport aren't included. */
  async text(): Promise<string> {
    const lines = await this.page.locator('.cm-line').allTextContents();
    return lines.join('\n');
  }

  /** Types text at the cursor. */
  async write(text: string): Promise<void> {
    await this.content.focus();
    await this.page.keyboard.insertText(text);
  }

  /** Replaces the entire text by typing. */
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
