import './englishVscode';
import { createHash } from 'node:crypto';
import type { Browser, Locator, Page } from 'playwright-core';
import { webviewHtml } from '../../../src/host/platform/webview/webviewHtml';
import { type AppServer, sharedAppServer } from './appServer';
import type { CloudStageApp } from './cloudStageApp';
import { openPage, returnPage } from './pagePool';
import { testTranslations } from './testTranslations';
import { type ThemeKind, themeStyle } from './themes';
import { type AppFiles, bundleParts, bundleScript, drawn } from './webviewPage';

declare global {
  interface Window {
    cloudStageApp: CloudStageApp;
  }
}

/** Bundles only the point cloud stage and the script that it loads. */
export async function bundleCloudStage(): Promise<AppFiles> {
  const [stage, library] = await Promise.all([
    bundleParts('cloudStage', [
      'test/webview/support/cloudStageApp',
      ...['webview/ui/theme.css', 'webview/ui/controls.css', 'webview/data/clouds/clouds.css'],
    ]),
    bundleScript('pointCloud'),
  ]);
  return new Map([...stage, ...library]);
}

interface CloudPageOptions {
  readonly theme?: ThemeKind;
  /** Function that runs in the page before any other script. */
  readonly before?: () => void;
}

/** The point cloud stage in a browser, with the content security policy of webviews. */
export class CloudPage {
  /** Violations of the content security policy, script errors, and console errors. */
  readonly pageErrors: string[] = [];
  /** Names of the requested files, each with a leading slash. */
  readonly requests: string[] = [];

  private url = '';
  private closed: Promise<void> | undefined;

  private constructor(
    readonly page: Page,
    private readonly server: AppServer,
  ) {}

  static async open(
    browser: Browser,
    files: AppFiles,
    { theme = 'dark', before }: CloudPageOptions = {},
  ): Promise<CloudPage> {
    const opened = new CloudPage(await openPage(browser), await sharedAppServer());
    await opened.start(files, theme, before);
    return opened;
  }

  async show(file: Uint8Array, name = 'scan.pcd'): Promise<void> {
    const base64 = Buffer.from(file).toString('base64');
    await this.page.evaluate(([one, content]) => window.cloudStageApp.show(one, content), [
      name,
      base64,
    ] as const);
  }

  /** Creates a new stage in the page. */
  async renew(options: { readonly maxPoints?: number } = {}): Promise<void> {
    await this.page.evaluate((cloudOptions) => window.cloudStageApp.renew(cloudOptions), options);
  }

  /** Waits until the requested cloud is drawn with all of its points. */
  async drawn(): Promise<void> {
    await this.page.locator('.cloud-picture.moving').waitFor({ state: 'detached' });
    await drawn(this.page);
  }

  get view(): Locator {
    return this.page.getByRole('application');
  }

  get problem(): Locator {
    return this.page.getByRole('alert');
  }

  get facts(): Locator {
    return this.page.locator('.cloud-facts');
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Returns a hash of the visible image, which changes whenever the image does. */
  async hashScreenshot(): Promise<string> {
    await this.drawn();
    const picture = await this.page.locator('.cloud-picture').screenshot();
    return createHash('sha256').update(picture).digest('hex');
  }

  close(): Promise<void> {
    return (this.closed ??= this.stop());
  }

  private async start(files: AppFiles, theme: ThemeKind, before?: () => void): Promise<void> {
    const { page, server, pageErrors: complaints } = this;
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('request', (request) => this.requests.push(request.url().replace(/^.*(?=\/)/, '')));
    this.url = server.addDocument(
      documentHtml(server.origin, server.addFiles(files), files, before),
    );
    await page.goto(this.url);
    await page.evaluate(({ variables, bodyClass }) => {
      document.body.className = bodyClass;
      document.body.style.backgroundColor = 'var(--vscode-editor-background)';
      for (const [name, value] of Object.entries(variables)) {
        document.documentElement.style.setProperty(name, value);
      }
    }, themeStyle(theme));
    await this.renew();
  }

  private async stop(): Promise<void> {
    this.server.removeDocument(this.url);
    await returnPage(this.page);
  }
}

function documentHtml(
  origin: string,
  folder: string,
  files: AppFiles,
  before?: () => void,
): string {
  const html = webviewHtml({
    title: 'cloud',
    cspSource: origin,
    translations: testTranslations(files, 'cloudStage'),
    scriptUri: `${folder}/cloudStage.js`,
    styleUri: `${folder}/cloudStage.css`,
  });
  const script = `${before ? `(${before.toString()})();` : ''}
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(event.violatedDirective + ': ' + event.blockedURI));`;
  // The script comes before the policy, which applies only to the content after it.
  return html.replace('<head>', () => `<head><script>${script}</script>`);
}
