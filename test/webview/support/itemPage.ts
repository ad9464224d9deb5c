import type { Browser, Locator, Page } from 'playwright-core';
import type { HostHandlers } from '../../../src/shared/protocol';
import {
  type PageItem,
  type PageMetrics,
  registryItemProtocol,
  type RegistryItemProtocol,
  type VersionFiles,
} from '../../../src/shared/registryItem';
import type { ThemeKind } from './themes';
import { type AppFiles, WebviewPage } from './webviewPage';

/** A module with all fields that items can have. */
export const completeItem: PageItem = {
  id: 'acme:arm',
  name: 'arm',
  owner: 'Acme',
  badges: ['module', 'public'],
  url: 'https://acme.test/arm',
  description: 'Moves arms.',
  text: { markdown: '# Arm\n\nMoves **arms**.\n\n## Usage\n\nPlug it in.', isCut: false },
  facts: [
    { name: 'ID', value: 'acme:arm', isCode: true },
    { name: 'Used By', value: '3 machines of 2 organizations', isCode: false },
  ],
  models: [
    {
      api: 'rdk:component:arm',
      model: 'acme:arm:six',
      description: 'Six joints',
      text: { markdown: '# Six\n\n| a | b |\n|---|---|\n| 1 | 2 |', isCut: false },
    },
    { api: 'rdk:component:gripper', model: 'acme:arm:grip', description: '' },
  ],
  versions: Array.from({ length: 12 }, (_, index) => ({
    version: `1.${String(11 - index)}.0`,
    createdAt: Date.UTC(2026, 3, 20 - index),
    files: [{ platform: 'linux/amd64' }, { platform: 'linux/arm64' }],
  })),
  canDeploy: true,
  canUpload: false,
  hasMetrics: false,
};

/** A fake host with a generated item. All messages it receives are in `sent`. */
export class FakeItemHost {
  readonly sent: (readonly [name: string, params?: unknown])[] = [];
  item: PageItem = completeItem;
  files: readonly VersionFiles[] = [];
  /** Version whose metrics the page must show. */
  version: string | undefined;
  locale = 'en-US';
  metrics: PageMetrics | Error = { version: '', facts: [], tables: [], files: [] };
  failure: Error | undefined;
  /**
   * Time when the item was loaded; if set, the item counts as outdated until the page requests a
   * fresh item.
   */
  oldSince: number | undefined;
  /** Delays responses with fresh items until it resolves. */
  freshAnswers: Promise<void> = Promise.resolve();
  /** Number of times that the page reported receiving the focus. */
  focuses = 0;
  filesFailure: Error | undefined;
  /** URLs that the page requested in addition to its own files. */
  readonly requests: string[] = [];

  getSent(name: keyof RegistryItemProtocol): readonly unknown[] {
    return this.sent.filter(([one]) => one === name).map(([, params]) => params);
  }

  get handlers(): HostHandlers<RegistryItemProtocol> {
    const note =
      (name: keyof RegistryItemProtocol) =>
      (params: unknown): unknown =>
        this.sent.push([name, params]);
    return {
      ready: () =>
        Promise.resolve({
          locale: this.locale,
          panel: 'panel 1',
          version: this.version,
        }),
      load: async (params) => {
        this.sent.push(['load', params]);
        const { item, oldSince } = this;
        const isOld = oldSince !== undefined && !params.fresh;
        if (isOld) return { item, readAt: oldSince, isOld };
        await this.freshAnswers;
        if (this.failure) throw this.failure;
        return { item: this.item, readAt: Date.UTC(2026, 3, 21, 12), isOld };
      },
      focused: () => (this.focuses += 1),
      readFiles: () =>
        this.filesFailure ? Promise.reject(this.filesFailure) : Promise.resolve(this.files),
      loadMetrics: (params) => {
        this.sent.push(['loadMetrics', params]);
        return this.metrics instanceof Error
          ? Promise.reject(this.metrics)
          : Promise.resolve(this.metrics);
      },
      copyId: note('copyId'),
      openUrl: note('openUrl'),
      openLink: note('openLink'),
      openText: note('openText'),
      deploy: note('deploy'),
      upload: note('upload'),
      download: note('download'),
      signIn: note('signIn'),
      startLocalFleet: note('startLocalFleet'),
    };
  }
}

interface ItemPageOptions {
  readonly host: FakeItemHost;
  /** The result of `bundleApp('registryItem')`. */
  readonly files: AppFiles;
  readonly theme?: ThemeKind;
  readonly state?: unknown;
}

/** The page of a registry item in a browser, with a fake host. */
export class ItemPage {
  private constructor(
    readonly webview: WebviewPage<RegistryItemProtocol>,
    readonly host: FakeItemHost,
  ) {}

  static async open(browser: Browser, { host, ...options }: ItemPageOptions): Promise<ItemPage> {
    const webview = await WebviewPage.open(browser, {
      app: 'registryItem',
      protocol: registryItemProtocol,
      handlers: host.handlers,
      ...options,
      onOpening: ({ page, origin }) => {
        page.on('request', (request) => {
          if (!request.url().startsWith(`${origin}/`)) host.requests.push(request.url());
        });
      },
    });
    return new ItemPage(webview, host);
  }

  get page(): Page {
    return this.webview.page;
  }

  /** The rendered description of the item. */
  get text(): Locator {
    return this.page.locator('.markdown').first();
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Returns the level and text of each heading on the page, in order. */
  headings(): Promise<readonly string[]> {
    return this.page.evaluate(() =>
      [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(
        (heading) => `${heading.localName} ${heading.textContent}`,
      ),
    );
  }

  async close(): Promise<void> {
    await this.webview.close();
  }
}
