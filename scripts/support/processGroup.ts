import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const gracePeriodMs = 5_000;
const pollMs = 50;
const onWindows = process.platform === 'win32';

/**
 * A process and all its descendants, which are stopped together. Stopping only a server's main
 * process would leave its children running.
 */
export interface ProcessGroup {
  child: ChildProcess;
  /**
   * Requests all processes to exit, then kills the ones that are still running. Can be called more
   * than once and after the processes have exited.
   */
  readonly stop: () => Promise<void>;
}

function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

async function hasExitedWithin(pid: number, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (signalGroup(pid, 0)) {
    if (performance.now() > deadline) return false;
    await sleep(pollMs);
  }
  return true;
}

async function endGroup(pid: number): Promise<void> {
  signalGroup(pid, 'SIGTERM');
  if (await hasExitedWithin(pid, gracePeriodMs)) return;
  signalGroup(pid, 'SIGKILL');
  await hasExitedWithin(pid, gracePeriodMs);
}

/** Starts a program as the leader of a new process group. */
export function startGroup(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
): ProcessGroup {
  const child = spawn(program, args, { ...options, detached: !onWindows });
  let stopping: Promise<void> | undefined;
  const { pid } = child;
  const end = async (): Promise<void> => {
    if (pid === undefined) return;
    if (onWindows) spawnSync('taskkill', ['/pid', String(pid), '/t', '/f']);
    else await endGroup(pid);
  };
  return { child, stop: () => (stopping ??= end()) };
}
