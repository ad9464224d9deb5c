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
 * Sends a signal to a process and to all that it started: shells do not pass on what ends them, and what
 * they have started would work on, with nobody to see it. On Windows, which has no signals, all of it is
 * ended at once. Those that are gone already are none.
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
 * Sends a signal to the process group that a process leads, also after that has exited. On Windows, which has
 * no groups, ends the process with all that it has started.
 */
export function signalGroup(
  leader: number,
  signal: NodeJS.Signals,
  { platform, run }: System = system,
): void {
  if (platform === 'win32') signalTree(leader, signal, { platform, run });
  else send(-leader, signal);
}

/** Sends a signal to processes that were listed before; those that are gone are skipped. */
export function signalAll(ids: readonly number[], signal: NodeJS.Signals): void {
  for (const id of ids) send(id, signal);
}

/** Parents first, so that none starts another in the place of one that has ended. */
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

/** Ids, each with that of what started it. */
function listProcesses(): string {
  try {
    return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  } catch {
    // Where there is no `ps`, the process itself is all that is known.
    return '';
  }
}

function send(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(id, signal);
  } catch {
    // It is gone.
  }
}
