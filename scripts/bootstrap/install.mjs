// This script runs on any Node in a fresh clone, before packages are installed, so it must not have
// dependencies.
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
 * Returns true if `node_modules` contains exactly the packages of the folder's lock file. Optional
 * packages can be missing, because most of them are for other platforms.
 *
 * @param {string} folder absolute path
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
 * Runs npm in a folder and shows its output in this terminal.
 *
 * @param {string} folder absolute path
 * @param {string[]} args
 * @throws Error if npm fails
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
 * Installs the packages of a folder's lock file unless they are already installed. Doesn't run
 * install scripts, because no package needs its own.
 *
 * @param {string} folder absolute path
 * @param {string[]} options additional npm options, such as the target platform
 * @throws Error if npm fails
 */
export function ensureInstalled(folder, options = []) {
  if (matchesLock(folder)) return;
  console.log(`Installing packages in ${folder}`);
  npm(folder, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...options]);
}
