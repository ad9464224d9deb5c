import { chromium, type Browser, type Page } from 'playwright-core';
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { resetProfile } from '../../../scripts/support/codeServer';
import { fromRoot } from '../../../scripts/support/paths';
import { lanesVariable, startLane, type VsCodeLane } from '../../../scripts/support/vsCodeLane';
import { readBrowserStores, type storedKeys } from './browserStores';
import { slowPage } from '../../support/slowdown';
import { addPseudoTexts, pseudoLanguage } from './pseudoTexts';
import { slowExtensionHosts } from './slowExtensionHosts';
import { until } from './until';
import { Workbench } from './workbench';

type StoredKey = (typeof storedKeys)[keyof typeof storedKeys];

const defaultViewport = { width: 1440, height: 900 };
const actionLimitMs = 60_000;
/** Browser storage types in which a window saves its state. */
const storageTypes = 'cookies,indexeddb,local_storage,service_workers,cache_storage,file_systems';

/** Folder for screenshots of failed tests. */
const screenshotFolder = fromRoot('.cache', 'screenshots');

export interface VsCodeOptions {
  /** Absolute path of the folder to open; if absent, no folder is opened. */
  workspace?: string;
  /** User settings in addition to the base settings. */
  settings?: Readonly<Record<string, unknown>>;
  /** Credentials file for signing in; if absent, VS Code starts signed out. */
  credentialsFile?: string;
  /** Size of the window in pixels. VS Code doesn't update its layout if the size changes later. */
  viewport?: { readonly width: number; readonly height: number };
  /** True to show the texts of the extension pseudo-translated. */
  isPseudo?: boolean;
}

/** A real VS Code with a real extension host, driven in a headless browser. */
export class VsCode {
  readonly workbench: Workbench;

  constructor(
    readonly page: Page,
    /** Folder with everything that VS Code and its extensions write. */
    readonly dataFolder: string,
    private readonly resources: AsyncDisposable,
  ) {
    this.workbench = new Workbench(page);
  }

  /** Saves a screenshot of the window to `.cache/screenshots/<name>.png` and returns its path. */
  async screenshot(name: string): Promise<string> {
    mkdirSync(screenshotFolder, { recursive: true });
    const path = join(screenshotFolder, `${name.replaceAll(/[^\w-]+/g, '-')}.png`);
    await this.page.screenshot({ path });
    return path;
  }

  /**
   * Returns the values that VS Code saves in the browser under a key, concatenated if there are
   * values in more than one store.
   */
  async stored(key: StoredKey): Promise<string> {
    const all = await readBrowserStores(this.page);
    return all.flatMap((one) => (one.key === key ? [one.text] : [])).join('\n');
  }

  /**
   * Waits until VS Code has saved a state that it restores after a reload; it saves with a delay.
   */
  async writes(key: StoredKey, fits: (text: string) => boolean): Promise<void> {
    await until(`${key} is written`, async () => fits(await this.stored(key)));
  }

  /** Reloads the window, like "Reload Window", and waits for the workbench and the fleet. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.workbench.ready();
    await this.workbench.fleet.open();
  }

  /**
   * Closes the window, which ends its extension host, and stops all processes that were started for
   * it.
   */
  async close(): Promise<void> {
    await this.resources[Symbol.asyncDispose]();
  }
}

function pageAddress({ server }: VsCodeLane, workspace: string | undefined): string {
  const address = new URL(server.url);
  if (workspace === undefined) address.searchParams.set('ew', 'true');
  else address.searchParams.set('folder', workspace);
  return address.href;
}

/**
 * Returns the lane that this process shares with later processes. Mocha numbers its parallel
 * processes.
 */
function findSharedLane(): VsCodeLane | undefined {
  const lanes = JSON.parse(process.env[lanesVariable] ?? '[]') as VsCodeLane[];
  return lanes[Number(process.env.MOCHA_WORKER_ID ?? 0) % lanes.length];
}

/** Opens a page without any state of earlier windows, except for the browser's cache. */
async function openPage(lane: VsCodeLane, browser: Browser): Promise<Page> {
  const [context] = browser.contexts();
  assert.ok(context);
  const [blank, ...left] = context.pages();
  assert.ok(blank);
  for (const page of left) await closePage(page);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const session = await context.newCDPSession(blank);
  const { origin } = new URL(lane.server.url);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes });
  await session.detach();
  return context.newPage();
}

/**
 * Closes a page. Unloads it first, because otherwise the extension host would wait for the page to
 * reconnect.
 */
async function closePage(page: Page): Promise<void> {
  try {
    await page.goto('about:blank');
  } finally {
    await page.close();
  }
}

/**
 * Opens a VS Code window with the packaged extension and a new profile, and waits for the
 * workbench. The caller must close the window. Uses the lane of the test run; if there is none, or
 * to start signed out or pseudo-translated, starts a
 * separate lane.
 */
export async function startVsCode(options: VsCodeOptions = {}): Promise<VsCode> {
  const { workspace, settings = {}, credentialsFile, viewport = defaultViewport } = options;
  const { isPseudo = false } = options;
  await using resources = new AsyncDisposableStack();
  let lane = credentialsFile === undefined || isPseudo ? undefined : findSharedLane();
  if (lane === undefined) {
    const own = await startLane({ signsIn: credentialsFile !== undefined });
    resources.defer(() => own.stop());
    lane = own;
  }
  if (isPseudo) addPseudoTexts(lane.dataFolder);
  resources.defer(slowExtensionHosts(lane.server.pid));
  resetProfile(lane.dataFolder, settings);
  if (credentialsFile !== undefined) copyFileSync(credentialsFile, lane.credentialsFile);
  const browser = await chromium.connectOverCDP(lane.browserUrl);
  // For a connected browser, `close` only disconnects.
  resources.defer(() => browser.close());
  const page = await openPage(lane, browser);
  resources.defer(() => closePage(page));
  await page.setViewportSize(viewport);
  page.setDefaultTimeout(actionLimitMs);
  // The workbench reads its language from this variable, which only a language pack would set.
  const language = JSON.stringify(pseudoLanguage);
  if (isPseudo) await page.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${language};`);
  await slowPage(page);
  await page.goto(pageAddress(lane, workspace));
  const vsCode = new VsCode(page, lane.dataFolder, resources.move());
  await vsCode.workbench.ready();
  return vsCode;
}
