import './englishVscode';
import type { Browser, Page } from 'playwright-core';
import { Emitter } from '../../../src/base/emitter';
import { testTranslations } from './testTranslations';
import { WebviewDispatcher } from '../../../src/host/platform/webview/webviewDispatcher';
import {
  isPackedMessage,
  packMessage,
  queryNotebookProtocol,
  unpackMessage,
} from '../../../src/shared/query/queryNotebook';
import { silentLogger } from '../../support/silentLogger';
import { type AppServer, sharedAppServer } from './appServer';
import {
  closeDocument,
  documentChannel,
  listenToDocument,
  postToDocument,
} from './documentChannel';
import { openPage, returnPage } from './pagePool';
import type { ResultHost } from './resultsPage';
import { type ThemeKind, themeStyle } from './themes';
import type { AppFiles } from './webviewPage';

interface OutputsWindow {
  render(id: string, result: string, root: string): Promise<void>;
  /** Keys that propagated to the page and that VS Code would handle. */
  passedKeys: string[];
}

/**
 * Returns the HTML of a page that loads a renderer as VS Code does, with the content security
 * policy of outputs.
 */
const notebookHtml = (
  origin: string,
  folder: string,
): string => `<!DOCTYPE html><html lang="en"><head><script>${documentChannel}</script><title>Outputs</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${origin} 'unsafe-inline'; style-src ${origin} 'unsafe-inline'">
<style>body { margin: 7px; } h1 { color: var(--vscode-foreground); }</style></head>
<body><main><h1 class="tool">Other output</h1><div id="first"></div><div id="second"></div></main>
<script type="module">
  import { activate } from '${folder}/queryNotebook.js';
  const listeners = [];
  window.passedKeys = [];
  window.addEventListener('keydown', ({ key }) => window.passedKeys.push(key));
  document.addEventListener('securitypolicyviolation', (event) => window.complain(event.blockedURI));
  window.receiveFromHost = (message) => listeners.forEach((listener) => listener(message));
  const renderer = activate({
    postMessage: (message) => window.tellHost(message),
    onDidReceiveMessage: (listener) => listeners.push(listener),
  });
  window.render = (id, result, root) =>
    renderer.renderOutputItem({ id, json: () => ({ result }) }, document.getElementById(root));
</script></body></html>`;

interface NotebookOptions {
  readonly theme?: ThemeKind | undefined;
  /** Language of numbers and times. */
  readonly locale?: string;
}

/**
 * The outputs of a notebook in a browser, with a fake host behind the notebook's message channel.
 */
export class NotebookPage {
  readonly pageErrors: string[] = [];
  private readonly inbound = new Emitter<unknown>();
  private name = '';
  private dispatcher: WebviewDispatcher<typeof queryNotebookProtocol> | undefined;
  private closed: Promise<void> | undefined;
  private url = '';

  private constructor(
    readonly page: Page,
    private readonly server: AppServer,
    private readonly host: ResultHost,
  ) {}

  static async open(
    browser: Browser,
    host: ResultHost,
    files: AppFiles,
    { theme = 'dark', locale = 'en' }: NotebookOptions = {},
  ): Promise<NotebookPage> {
    const opened = new NotebookPage(await openPage(browser), await sharedAppServer(), host);
    await opened.start(files, theme, locale);
    return opened;
  }

  /** Shows a result as the output of a cell. */
  async render(result: string, output = 'output 1', root = 'first'): Promise<void> {
    await this.page.evaluate(
      ([data, id, place]) => (window as unknown as OutputsWindow).render(id, data, place),
      [result, output, root] as const,
    );
  }

  /** Sends a message the way VS Code does: to all pages. */
  send(message: unknown, page = this.name): Promise<boolean> {
    return postToDocument(this.page, this.url, packMessage(page, message));
  }

  passedKeys(): Promise<readonly string[]> {
    return this.page.evaluate(() => (window as unknown as OutputsWindow).passedKeys);
  }

  close(): Promise<void> {
    return (this.closed ??= this.stop());
  }

  private async start(files: AppFiles, theme: ThemeKind, locale: string): Promise<void> {
    const { page, server, host, pageErrors: complaints } = this;
    page.on('pageerror', ({ message }) => complaints.push(message));
    const translations = testTranslations(files, 'queryNotebook');
    this.dispatcher = new WebviewDispatcher(
      queryNotebookProtocol,
      {
        onDidReceiveMessage: this.inbound.event,
        postMessage: (message: unknown) => this.send(message),
      },
      {
        ...host.handlers,
        begin: () => Promise.resolve({ translations, locale }),
        showResult: () => host.notifyStatus(),
      },
      (error) => complaints.push(String(error)),
      silentLogger,
    );
    host.notify = (status) => this.dispatcher?.notify('resultChanged', status);
    this.url = server.addDocument(notebookHtml(server.origin, server.addFiles(files)));
    listenToDocument(this.url, {
      receive: (message) => this.take(message),
      complain: (text) => complaints.push(text),
    });
    await page.goto(this.url);
    await page.waitForFunction(() => 'render' in window);
    await page.evaluate(({ variables, bodyClass }) => {
      document.body.className = bodyClass;
      document.body.style.backgroundColor = 'var(--vscode-editor-background)';
      for (const [name, value] of Object.entries(variables)) {
        document.documentElement.style.setProperty(name, value);
      }
    }, themeStyle(theme));
  }

  private async stop(): Promise<void> {
    this.dispatcher?.dispose();
    closeDocument(this.url);
    this.server.removeDocument(this.url);
    await returnPage(this.page);
  }

  private take(packed: unknown): void {
    if (!isPackedMessage(packed)) return;
    this.name = packed.page;
    this.inbound.fire(unpackMessage(packed));
  }
}
