import { spawnSync } from 'node:child_process';

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

/** Whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
