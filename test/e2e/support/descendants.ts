import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const momentMs = 10_000;
const pollMs = 100;

/** A process of the machine. */
export interface ProcessFacts {
  pid: number;
  /** Its command line. */
  command: string;
}

const listed = /^\s*(?<pid>\d+)\s+(?<parent>\d+)\s+(?<command>.*)$/gm;

/** A process and all that it started, directly or not. */
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

/** How long a process has worked, on all processors together, in whole seconds; 0 when it is gone. */
export function workedSeconds({ pid }: Pick<ProcessFacts, 'pid'>): number {
  const { stdout } = spawnSync('ps', ['-o', 'cputimes=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(stdout.trim());
}

/**
 * Those of the processes that still run after a moment, which a compiler's service takes to see that
 * its parent is gone. One that has ended and only waits to be counted by the system is none of them.
 */
export async function stillRunning(processes: readonly ProcessFacts[]): Promise<ProcessFacts[]> {
  const deadline = performance.now() + momentMs;
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
