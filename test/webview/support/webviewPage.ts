import { build, type BuildOptions } from 'esbuild';
import { basename } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { webviewBundle, webviewScript } from '../../../scripts/support/bundles';
import { chromiumFlags, ensureChromium } from '../../../scripts/support/chromium';
import { root } from '../../../scripts/support/paths';
import { Emitter } from '../../../src/base/emitter';
import { WebviewDispatcher } from '../../../src/host/platform/webview/webviewDispatcher';
import { webviewHtml } from '../../../src/host/platform/webview/webviewHtml';
import { testTranslations } from './testTranslations';
import {
  type HostHandlers,
  isToHost,
  type MethodOf,
  type ParamsOf,
  type Protocol,
  type ToWebview,
} from '../../../src/shared/protocol';
import { silentLogger } from '../../support/silentLogger';
import { waitUntil } from '../../support/waitUntil';
import { type AppServer, sharedAppServer } from './appServer';
import {
  closeDocument,
  documentChannel,
  isDocumentQuiet,
  listenToDocument,
  postToDocument,
} from './documentChannel';
import { openPage, returnPage } from './pagePool';
import { packBytes, passingBytes, unpackBytes } from './passedBytes';
import { type ThemeKind, themeStyle } from './themes';

/** Files of a bundled app by their path in `dist/webview`. */
export type AppFiles = ReadonlyMap<string, string>;

const bundled = new Map<string, Promise<AppFiles>>();

/**
 * Bundles a webview app as for a release (minified), but only in memory and at most once per
 * process.
 */
export function bundleApp(app: string): Promise<AppFiles> {
  return bundleOnce(app, () => webviewBundle({ root, production: true }, [app]));
}

/** Bundles a script that a page loads on demand, like {@link bundleApp}. */
export function bundleScript(name: string): Promise<AppFiles> {
  return bundleOnce(name, () => webviewScript({ root, production: true }, name));
}

/**
 * Bundles the scripts and styles at the given repository paths as the app of a page, at most once
 * per process.
 */
export function bundleParts(app: string, parts: readonly string[]): Promise<AppFiles> {
  return bundleOnce(app, () => ({
    ...webviewBundle({ root, production: false }, []),
    entryPoints: [],
    stdin: {
      contents: parts.map((part) => `import './${part}';`).join('\n'),
      resolveDir: root,
    },
  }));
}

function bundleOnce(app: string, getOptions: () => BuildOptions): Promise<AppFiles> {
  const files = bundled.get(app) ?? bundle(app, getOptions());
  bundled.set(app, files);
  return files;
}

async function bundle(app: string, options: BuildOptions): Promise<AppFiles> {
  const { outputFiles } = await build({ ...options, sourcemap: false, write: false });
  const named = outputFiles.map(({ path, text }) => [basename(path), text] as const);
  return new Map(named.map(([name, text]) => [`/${name.replace(/^stdin\b/, app)}`, text]));
}

/**
 * Starts a Chromium instance, which the caller must close. Test suites use `sharedBrowser` instead.
 */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: ensureChromium(), args: [...chromiumFlags] });
}

export interface WebviewOptions<P extends Protocol> {
  readonly app: string;
  readonly files: AppFiles;
  readonly protocol: P;
  readonly handlers: HostHandlers<P>;
  readonly theme?: ThemeKind;
  /** State that an earlier instance of the webview saved. */
  readonly state?: unknown;
  /** Page that `openPage` has opened. If absent, a page is opened. */
  readonly page?: Page;
  /** Called before the app starts, so that its host can send messages immediately. */
  readonly onOpening?: (page: WebviewPage<P>) => void;
}

/**
 * A webview app in a real Chromium with its real content security policy; the test acts as the
 * host.
 */
export class WebviewPage<P extends Protocol> {
  /** Violations of the content security policy and script errors. */
  readonly pageErrors: string[] = [];
  /** URL of the page's document. */
  url = '';
  private readonly inbound = new Emitter<unknown>();
  private readonly dispatcher: WebviewDispatcher<P>;
  private closed: Promise<void> | undefined;
  /** IDs of the app's requests that are still waiting for a response. */
  private readonly unanswered = new Set<number>();

  private constructor(
    readonly page: Page,
    private readonly server: AppServer,
    { protocol, handlers }: WebviewOptions<P>,
  ) {
    const port = {
      onDidReceiveMessage: this.inbound.event,
      postMessage: async (posted: unknown) => {
        const message = posted as ToWebview;
        const isOpen = await postToDocument(page, this.url, packBytes(message));
        if (message.type !== 'notification') this.unanswered.delete(message.id);
        return isOpen;
      },
    };
    const present = (error: unknown): unknown => this.pageErrors.push(String(error));
    this.dispatcher = new WebviewDispatcher(protocol, port, handlers, present, silentLogger);
  }

  static async open<P extends Protocol>(
    browser: Browser,
    options: WebviewOptions<P>,
  ): Promise<WebviewPage<P>> {
    const [page, server] = await Promise.all([
      options.page ?? openPage(browser),
      sharedAppServer(),
    ]);
    const opened = new WebviewPage(page, server, options);
    options.onOpening?.(opened);
    await opened.start(options);
    return opened;
  }

  get origin(): string {
    return this.server.origin;
  }

  notify<K extends MethodOf<P, 'notification'>>(method: K, params: ParamsOf<P, K>): void {
    this.dispatcher.notify(method, params);
  }

  /**
   * Waits until the app has received all responses from its host and drawn the resulting changes.
   */
  async waitUntilIdle(): Promise<void> {
    await drawn(this.page);
    const hasAnswers = (): boolean => this.unanswered.size === 0 && isDocumentQuiet(this.url);
    while (!hasAnswers()) {
      await waitUntil(hasAnswers);
      await drawn(this.page);
    }
  }

  /** Waits until the app has settled; returns the last state that it saved. */
  async state(): Promise<unknown> {
    await this.waitUntilIdle();
    return this.page.evaluate(() => (window as { savedState?: unknown }).savedState);
  }

  /** Waits until the saved state contains the given text; returns that state. */
  async stateWith(text: string): Promise<unknown> {
    await this.page.waitForFunction((expected) => {
      const { savedState } = window as { savedState?: unknown };
      return JSON.stringify(savedState ?? null).includes(expected);
    }, text);
    return this.state();
  }

  /** Closes the webview. Drops all messages that it sends afterward. */
  close(): Promise<void> {
    return (this.closed ??= this.stop());
  }

  private async start({ app, files, theme = 'dark', state }: WebviewOptions<P>): Promise<void> {
    const { page, pageErrors: complaints, server } = this;
    page.on('pageerror', ({ message }) => complaints.push(message));
    const folder = server.addFiles(files);
    const html = webviewHtml({
      title: app,
      scriptUri: `${folder}/${app}.js`,
      styleUri: `${folder}/${app}.css`,
      cspSource: server.origin,
      translations: testTranslations(files, app),
    });
    // The script comes before the policy, which applies only to the content after it.
    this.url = server.addDocument(
      html.replace('<head>', () => `<head><script>${vsCodeApi(state)}</script>`),
    );
    listenToDocument(this.url, {
      receive: (packed) => {
        const message = unpackBytes(packed);
        if (isToHost(message) && message.type === 'request') this.unanswered.add(message.id);
        this.inbound.fire(message);
      },
      complain: (text) => complaints.push(text),
    });
    await page.goto(this.url);
    await page.evaluate(({ variables, bodyClass }) => {
      document.body.className = bodyClass;
      // Sets the background as VS Code's own style sheet for webviews does.
      document.body.style.backgroundColor = 'var(--vscode-editor-background)';
      for (const [name, value] of Object.entries(variables)) {
        document.documentElement.style.setProperty(name, value);
      }
    }, themeStyle(theme));
  }

  private async stop(): Promise<void> {
    this.dispatcher.dispose();
    closeDocument(this.url);
    this.server.removeDocument(this.url);
    await returnPage(this.page);
  }
}

/**
 * Waits until a page has drawn two frames. A change is drawn in the next frame and becomes visible
 * only afterward.
 */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
}

/** Returns the script that VS Code injects into every webview. */
function vsCodeApi(state: unknown): string {
  const stateJson =
    state === undefined ? 'undefined' : JSON.stringify(state).replaceAll('<', '\\u003c');
  return `
    ${documentChannel}
    ${passingBytes}
    window.savedState = ${stateJson};
    window.acquireVsCodeApi = () => ({
      postMessage: (message) => window.tellHost(packBytes(message)),
      getState: () => window.savedState,
      setState: (state) => { window.savedState = state; },
    });
    window.receiveFromHost = (message) => window.postMessage(unpackBytes(message), '*');
    document.addEventListener('securitypolicyviolation', (event) =>
      window.complain(event.violatedDirective + ': ' + event.blockedURI),
    );`;
}
