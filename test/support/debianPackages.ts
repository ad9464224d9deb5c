import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

function aptGet(...args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}

function isOnPath(program: string): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.some((folder) => existsSync(join(folder, program)));
}

/**
 * Returns true if programs are on the PATH. If they are missing, installs Debian's packages if this
 * process has permission.
 */
export function ensureInstalled(programs: readonly string[], packages: readonly string[]): boolean {
  const isComplete = (): boolean => programs.every(isOnPath);
  if (isComplete()) return true;
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  if (!existsSync('/usr/bin/apt-get')) return false;
  console.log(`Installing ${packages.join(', ')} with apt-get`);
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
  return aptGet('update', '-qq') && aptGet(...install) && isComplete();
}
