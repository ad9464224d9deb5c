import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The headless shell is preferred, because it doesn't draw a window, which saves 40% of the
 * processor time.
 */
const debianPackages = ['chromium-headless-shell', 'chromium'];
const namesOnPath = [
  ...debianPackages,
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const defaultPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** Flags that keep a headless browser quiet and offline except for the pages that a test opens. */
export const chromiumFlags: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function findChromium(): string | undefined {
  const configuredPath = process.env.CHROME_PATH;
  if (configuredPath !== undefined && configuredPath !== '') return configuredPath;
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => namesOnPath.map((name) => join(folder, name)));
  return [...onPath, ...defaultPaths].find((path) => existsSync(path));
}

function aptGet(...args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}

function installOnDebian(): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return;
  if (!existsSync('/usr/bin/apt-get')) return;
  console.log('Installing Chromium with apt-get');
  if (!aptGet('update', '-qq')) return;
  debianPackages.some((name) => aptGet('install', '-y', '-qq', name));
}

/**
 * Returns a Chromium or Chrome executable for tests: the one in `CHROME_PATH`, one on the PATH or
 * in a common location, or Debian's package, which is installed if this process has permission.
 *
 * @returns absolute path of the executable
 * @throws Error with installation instructions
 */
export function ensureChromium(): string {
  const present = findChromium();
  if (present !== undefined) {
    if (existsSync(present)) return present;
    throw new Error(`CHROME_PATH names ${present}, which does not exist.`);
  }
  installOnDebian();
  const installed = findChromium();
  if (installed !== undefined) return installed;
  throw new Error(
    'The tests in real VS Code need Chromium or Chrome. Install one (on Debian or Ubuntu: ' +
      'sudo apt-get update && sudo apt-get install -y chromium) or set CHROME_PATH to its executable.',
  );
}
