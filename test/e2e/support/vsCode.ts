import { chromium, type Browser, type Page } from 'playwright-core';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumFlags, ensureChromium } from '../../../scripts/support/chromium';
import { startCodeServer, type CodeServer } from '../../../scripts/support/codeServer';
import { fromRoot } from '../../../scripts/support/paths';
import { readBrowserStores, type storedKeys } from './browserStores';
import { slowExtensionHosts, slowWindow } from './slowdown';
import { until } from './until';
import { Workbench } from './workbench';

type StoredKey = (typeof storedKeys)[keyof typeof storedKeys];

const viewport = { width: 1440, height: 900 };
const actionLimitMs = 20_000;

/** Where pictures of failed tests go. */
const screenshotFolder = fromRoot('.cache', 'screenshots');

interface CommonOptions {
  /** Folder to open, absolute; none when left out. */
  workspace?: string;
  /** User settings on top of the quiet ones. */
  settings?: Readonly<Record<string, unknown>>;
  /** Added to the extension host's environment. */
  env?: Readonly<Record<string, string>>;
}

/** From a package, as a user has it; or from a folder, where toasts are suppressed. */
export type VsCodeOptions = CommonOptions & ({ vsix: string } | { developmentPath: string });

/** A real VS Code with a real extension host, driven in a headless browser. */
export class VsCode {
  readonly workbench: Workbench;

  constructor(
    readonly page: Page,
    private readonly browser: Browser,
    private readonly server: CodeServer,
    /** All that VS Code and its extensions write. */
    readonly dataFolder: string,
  ) {
    this.workbench = new Workbench(page);
  }

  /** Writes a picture of the window to `.cache/screenshots/<name>.png` and returns its path. */
  async screenshot(name: string): Promise<string> {
    mkdirSync(screenshotFolder, { recursive: true });
    const path = join(screenshotFolder, `${name.replaceAll(/[^\w-]+/g, '-')}.png`);
    await this.page.screenshot({ path });
    return path;
  }

  /** What VS Code keeps in the browser under a key; one text when several stores have it. */
  async stored(key: StoredKey): Promise<string> {
    const all = await readBrowserStores(this.page);
    return all.flatMap((one) => (one.key === key ? [one.text] : [])).join('\n');
  }

  /** Waits until VS Code has written what a reload is to find: it does so a while after it happened. */
  async writes(key: StoredKey, fits: (text: string) => boolean): Promise<void> {
    await until(`${key} is written`, async () => fits(await this.stored(key)));
  }

  /** Loads the window anew, as "Reload Window" does, and waits for the workbench and the fleet. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.workbench.ready();
    await this.workbench.fleet.open();
  }

  /** Ends the browser, the server and its extension hosts, and deletes their files. */
  async close(): Promise<void> {
    try {
      await this.browser.close();
    } finally {
      await this.server.stop();
      rmSync(this.dataFolder, { recursive: true, force: true, maxRetries: 10 });
    }
  }
}

function pageAddress(server: CodeServer, options: VsCodeOptions): string {
  const address = new URL(server.url);
  if (options.workspace === undefined) address.searchParams.set('ew', 'true');
  else address.searchParams.set('folder', options.workspace);
  if ('developmentPath' in options) {
    const folder = `vscode-remote://${server.authority}${options.developmentPath}`;
    address.searchParams.set(
      'payload',
      JSON.stringify([
        ['extensionDevelopmentPath', folder],
        ['skipWelcome', 'true'],
      ]),
    );
  }
  return address.href;
}

async function openWindow(server: CodeServer, options: VsCodeOptions, dataFolder: string) {
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: [...chromiumFlags],
  });
  try {
    const context = await browser.newContext({
      viewport,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    page.setDefaultTimeout(actionLimitMs);
    await slowWindow(page);
    await page.goto(pageAddress(server, options));
    const vsCode = new VsCode(page, browser, server, dataFolder);
    await vsCode.workbench.ready();
    return vsCode;
  } catch (error) {
    await browser.close();
    throw error;
  }
}

/**
 * Starts VS Code with the extension, opens a window on it and waits for the workbench. Whoever calls
 * this calls `close()` in the end.
 */
export async function startVsCode(options: VsCodeOptions): Promise<VsCode> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'fleetwright-vscode-'));
  const { settings = {}, env = {} } = options;
  const started = await startCodeServer({
    dataFolder,
    settings,
    env,
    ...('vsix' in options ? { extensions: [options.vsix] } : { smokeTestDriver: true }),
  });
  const server = slowExtensionHosts(started);
  try {
    return await openWindow(server, options, dataFolder);
  } catch (error) {
    await server.stop();
    throw error;
  }
}
