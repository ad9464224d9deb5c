import { execFileSync, spawnSync } from 'node:child_process';

interface System {
  readonly platform: NodeJS.Platform;
  /** Runs a program and waits until it has exited. */
  readonly run: (program: string, args: readonly string[]) => void;
}

const system: System = {
  platform: process.platform,
  run: (program, args) => void spawnSync(program, args, { windowsHide: true }),
};

/**
 * Sends a signal to a process and all of its descendants. Shells don't forward signals, so their
 * child processes would continue unnoticed. On Windows, which has no signals, terminates all of
 * these processes immediately. Skips processes that have exited.
 */
export function signalTree(
  root: number,
  signal: NodeJS.Signals,
  { platform, run }: System = system,
): void {
  if (platform === 'win32') {
    run('taskkill', ['/pid', String(root), '/T', '/F']);
    return;
  }
  signalAll(withDescendants(root), signal);
}

/**
 * Sends a signal to a process group, identified by its leader, even after the leader has exited. On
 * Windows, which has no process groups, terminates the process and all of its descendants.
 */
export function signalGroup(
  leader: number,
  signal: NodeJS.Signals,
  { platform, run }: System = system,
): void {
  if (platform === 'win32') signalTree(leader, signal, { platform, run });
  else send(-leader, signal);
}

/** Sends a signal to previously listed processes and skips those that have exited. */
export function signalAll(ids: readonly number[], signal: NodeJS.Signals): void {
  for (const id of ids) send(id, signal);
}

/**
 * Returns the IDs of a process and all of its descendants. Parents come first, so that no parent
 * can replace a child that was terminated.
 */
export function withDescendants(root: number): readonly number[] {
  const listed = listProcesses()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = [root];
  for (const parent of found) {
    for (const [id, of] of listed) if (of === parent && id !== undefined) found.push(id);
  }
  return found;
}

/** Lists process IDs, each with its parent's ID. */
function listProcesses(): string {
  try {
    return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  } catch {
    // Without `ps`, the descendants can't be listed.
    return '';
  }
}

function send(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(id, signal);
  } catch {
    // The process has exited.
  }
}
