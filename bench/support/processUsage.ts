import { readdirSync, readFileSync } from 'node:fs';

/**
 * Returns the memory of a process in MiB: the current value, and the peak since it started. Works
 * only on Linux.
 */
export function readMemory(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  const mebibytes = (name: string): number =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  return { now: mebibytes('VmRSS'), peak: mebibytes('VmHWM') };
}

/** Returns the IDs of the processes that a process has started. Works only on Linux. */
export function listChildProcesses(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${String(pid)}/task/${String(pid)}/children`, 'utf8');
  return (children.match(/\d+/g) ?? []).map(Number);
}

/** Returns the IDs of a process's descendants. Works only on Linux. */
export function listDescendants(pid: number): readonly number[] {
  return listChildProcesses(pid).flatMap((child) => {
    try {
      return [child, ...listDescendants(child)];
    } catch {
      // The process has just exited.
      return [];
    }
  });
}

/**
 * Returns the processor time that the threads of a process have used, in milliseconds. Works only
 * on Linux.
 */
export function readProcessorTime(pid: number): number {
  const folder = `/proc/${String(pid)}/task`;
  const nanoseconds = readdirSync(folder).map((thread) =>
    Number(readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, time) => sum + time, 0) / 1e6;
}
