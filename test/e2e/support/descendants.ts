import { spawnSync } from 'node:child_process';

/** Ids of all processes that a process started, directly or not, and its own. */
export function withDescendants(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' });
  const processes = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = [pid];
  for (const parent of found) {
    for (const [child, itsParent] of processes) {
      if (child !== undefined && itsParent === parent) found.push(child);
    }
  }
  return found;
}

/** Whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
