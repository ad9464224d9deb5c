import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromiumFlags, ensureChromium } from './chromium';
import { startGroup } from './processGroup';

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

const disabledFeatures: readonly string[] = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'Translate',
];

/**
 * Playwright's default flags. Without them, an idle Chromium uses two to four times as much
 * processor time.
 */
const processFlags: readonly string[] = [
  '--headless',
  '--allow-pre-commit-input',
  '--disable-back-forward-cache',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-breakpad',
  '--disable-component-extensions-with-background-pages',
  '--disable-default-apps',
  '--disable-dev-shm-usage',
  '--disable-extensions',
  `--disable-features=${disabledFeatures.join(',')}`,
  '--disable-field-trial-config',
  '--disable-hang-monitor',
  '--disable-infobars',
  '--disable-ipc-flooding-protection',
  '--disable-popup-blocking',
  '--disable-prompt-on-repost',
  '--disable-renderer-backgrounding',
  '--disable-search-engine-choice-screen',
  '--disable-stack-profiler',
  '--enable-unsafe-swiftshader',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  '--metrics-recording-only',
  '--mute-audio',
  '--no-default-browser-check',
  '--no-service-autorun',
  '--password-store=basic',
  '--use-mock-keychain',
  // Emulate a mouse, as on a desktop computer.
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
];

/** A Chromium process that multiple other processes can drive, one at a time. */
export interface ChromiumProcess {
  /** URL of Chromium's debugging endpoint. */
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts a headless Chromium whose cache is shared by all of its pages, so that a second VS Code
 * window loads in half the time of the first one.
 *
 * @param profileFolder absolute path; created if missing
 * @throws Error if Chromium exits or doesn't listen within half a minute
 */
export async function startChromium(profileFolder: string): Promise<ChromiumProcess> {
  mkdirSync(profileFolder, { recursive: true });
  const group = startGroup(
    ensureChromium(),
    [
      ...chromiumFlags,
      ...processFlags,
      `--user-data-dir=${profileFolder}`,
      '--remote-debugging-port=0',
      'about:blank',
    ],
    { stdio: 'ignore' },
  );
  const portFile = join(profileFolder, 'DevToolsActivePort');
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const port = existsSync(portFile) ? /^\d+(?=\n)/.exec(readFileSync(portFile, 'utf8'))?.[0] : '';
    if (port) return { url: `http://127.0.0.1:${port}`, stop: () => group.stop() };
    if (group.child.exitCode !== null || performance.now() > deadline) {
      await group.stop();
      throw new Error('Chromium did not start.');
    }
    await sleep(POLL_MS);
  }
}
