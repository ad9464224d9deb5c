import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const exitTimeoutMs = 10_000;
const pollMs = 100;

/** A process that runs on this computer. */
export interface ProcessFacts {
  pid: number;
  /** Command line of the process. */
  command: string;
}

const listed = /^\s*(?<pid>\d+)\s+(?<parent>\d+)\s+(?<command>.*)$/gm;

/** Returns a process and all its descendants. */
export function withDescendants(pid: number): ProcessFacts[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' });
  const all = [...stdout.matchAll(listed)].map(({ groups = {} }) => ({
    pid: Number(groups.pid),
    parent: Number(groups.parent),
    command: groups.command ?? '',
  }));
  const found = all.filter((process) => process.pid === pid);
  for (const { pid: parent } of found) found.push(...all.filter((p) => p.parent === parent));
  return found.map(({ pid: id, command }) => ({ pid: id, command }));
}

/** Returns a process's total processor time in whole seconds; 0 if it has exited. */
export function workedSeconds({ pid }: Pick<ProcessFacts, 'pid'>): number {
  const { stdout } = spawnSync('ps', ['-o', 'cputimes=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(stdout.trim());
}

/**
 * Returns the processes that are still running after a short delay, which a compiler's service
 * needs to notice that its parent has exited. Excludes zombie processes.
 */
export async function stillRunning(processes: readonly ProcessFacts[]): Promise<ProcessFacts[]> {
  const deadline = performance.now() + exitTimeoutMs;
  for (;;) {
    const left = processes.filter(({ pid }) => runs(pid));
    if (left.length === 0 || performance.now() > deadline) return left;
    await sleep(pollMs);
  }
}

function runs(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}
