// Runs on whatever Node a fresh clone has, before any package is installed: no dependencies here.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ version?: string, link?: boolean, optional?: boolean }} LockEntry */

/**
 * @param {string} file
 * @returns {Record<string, LockEntry>}
 */
function lockedPackages(file) {
  /** @type {unknown} */
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  return /** @type {{ packages?: Record<string, LockEntry> }} */ (lock).packages ?? {};
}

/**
 * Whether `node_modules` holds just what the folder's lock asks for. Optional packages may be
 * missing: most of them are for other platforms.
 *
 * @param {string} folder absolute
 */
export function matchesLock(folder) {
  const installed = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return false;
  const present = lockedPackages(installed);
  return Object.entries(lockedPackages(join(folder, 'package-lock.json')))
    .filter(([path]) => path !== '')
    .every(([path, { version, optional }]) => {
      const found = present[path];
      return found === undefined ? optional === true : found.version === version;
    });
}

/**
 * Runs npm in a folder, with its output on this terminal.
 *
 * @param {string} folder absolute
 * @param {string[]} args
 * @throws Error when npm fails
 */
export function npm(folder, args) {
  const script = process.env.npm_execpath;
  const [program, first] =
    script === undefined ? ['npm', /** @type {string[]} */ ([])] : [process.execPath, [script]];
  const { status } = spawnSync(program, [...first, ...args], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: script === undefined && process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed in ${folder}.`);
}

/**
 * Installs what a folder's lock names, unless it is there already. No package needs its install
 * script: none is run.
 *
 * @param {string} folder absolute
 * @param {string[]} options further options of npm, such as the platform to install for
 * @throws Error when npm fails
 */
export function ensureInstalled(folder, options = []) {
  if (matchesLock(folder)) return;
  console.log(`Installing packages in ${folder}`);
  npm(folder, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...options]);
}
