import './englishVscode';
import type { Browser, Locator, Page } from 'playwright-core';
import type { HostHandlers } from '../../../src/shared/protocol';
import {
  resultMessages,
  type ResultProtocol,
  type ResultStatus,
  type RunOrigin,
} from '../../../src/shared/query/results';
import type { ResultsApp } from './resultsApp';
import type { ThemeKind } from './themes';
import { type AppFiles, bundleParts, WebviewPage } from './webviewPage';

declare global {
  interface Window {
    resultsApp: ResultsApp;
  }
}

/** Bundles only the result views and their page. */
export function bundleResults(): Promise<AppFiles> {
  return bundleParts('results', ['webview/ui/theme.css', 'test/webview/support/resultsApp']);
}

/** The host of a page with a result. */
export interface ResultHost {
  readonly result: string;
  readonly handlers: HostHandlers<ResultProtocol>;
  /** Sends the status of the result. */
  notifyStatus(): void;
  /** Receives the status. Set when a page is opened. */
  notify: (status: ResultStatus) => void;
}

interface ResultsPageOptions {
  readonly host: ResultHost;
  readonly files: AppFiles;
  readonly theme?: ThemeKind;
  /** State that an earlier instance of the page saved. */
  readonly state?: unknown;
  /** Number of views on the page. */
  readonly views?: number;
}

/** Query results in a browser, with a fake host. */
export class ResultsPage {
  private constructor(
    readonly webview: WebviewPage<typeof resultMessages>,
    readonly host: ResultHost,
  ) {}

  static async open(browser: Browser, options: ResultsPageOptions): Promise<ResultsPage> {
    const { host, files, theme = 'dark', views = 1, state } = options;
    const webview = await WebviewPage.open(browser, {
      app: 'results',
      files,
      theme,
      state,
      protocol: resultMessages,
      handlers: host.handlers,
    });
    host.notify = (status) => webview.notify('resultChanged', status);
    const opened = new ResultsPage(webview, host);
    for (let view = 0; view < views; view += 1) {
      await webview.page.evaluate(() => window.resultsApp.open());
    }
    return opened;
  }

  get page(): Page {
    return this.webview.page;
  }

  /** Shows the host's result, optionally as the result of a file, and sends its status. */
  async show(fileName?: string, view = 0): Promise<void> {
    const shown = {
      result: this.host.result,
      ...(fileName !== undefined && { origin: originIn(fileName) }),
    };
    await this.page.evaluate(([one, at]) => window.resultsApp.show(one, at), [
      shown,
      view,
    ] as const);
    this.host.notifyStatus();
  }

  get grid(): Locator {
    return this.page.getByRole('grid');
  }

  get active(): Locator {
    return this.page.locator('.active-cell');
  }

  get status(): Locator {
    return this.page.locator('.status-text');
  }

  get find(): Locator {
    return this.page.getByRole('searchbox', { name: 'Find in rows' });
  }

  /** The displayed filters. */
  get filters(): Locator {
    return this.page.getByRole('list', { name: 'Filters' });
  }

  cell(text: string): Locator {
    return this.page.getByRole('gridcell', { name: text, exact: true });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Returns the messages announced to screen readers. */
  getAnnouncements(): Promise<readonly string[]> {
    return this.page.evaluate(() => [...window.resultsApp.announcements]);
  }

  async close(): Promise<void> {
    await this.webview.close();
  }
}

function originIn(name: string): RunOrigin {
  return {
    language: 'sql',
    statement: 'SELECT * FROM readings',
    organization: 'Norrvik',
    at: 0,
    file: { name, firstLine: 1, lastLine: 1 },
  };
}
