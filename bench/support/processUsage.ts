import { readdirSync, readFileSync } from 'node:fs';

/** Unit of the times in `/proc/stat` and `/proc/PID/stat`. */
const MS_PER_JIFFY = 10;
/** Positions in `/proc/PID/stat`, after the name of the program. */
const MAJOR_FAULTS_FIELD = 9;
const FIRST_TIME_FIELD = 11;
const TIME_FIELDS = 4;

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

/**
 * Returns how often the threads of a process have gone to sleep, and so have had to be woken up. Works
 * only on Linux.
 */
export function readWakeups(pid: number): number {
  const folder = `/proc/${String(pid)}/task`;
  return readdirSync(folder)
    .map((thread) => readFileSync(`${folder}/${thread}/status`, 'utf8'))
    .reduce((sum, text) => sum + Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(text)?.[1]), 0);
}

/**
 * Returns the number of pages of memory that a process had to read from the disk, for example
 * because the system had taken them while the process was idle. Works only on Linux.
 */
export function readMajorFaults(pid: number): number {
  const fields = readFileSync(`/proc/${String(pid)}/stat`, 'utf8').replace(/^.*\) /, '');
  return Number(fields.split(' ')[MAJOR_FAULTS_FIELD]);
}

/**
 * Returns the processor time of a process and of its children that have exited, in milliseconds, with
 * a resolution of 10 ms. Works only on Linux.
 */
export function readProcessorTimeWithChildren(pid: number): number {
  const fields = readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const times = fields.slice(FIRST_TIME_FIELD, FIRST_TIME_FIELD + TIME_FIELDS).map(Number);
  return times.reduce((sum, time) => sum + time, 0) * MS_PER_JIFFY;
}

/** Returns the processor time of all programs in milliseconds. Works only on Linux. */
export function readTotalProcessorTime(): number {
  const [total = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const [user, nice, system, , , interrupts, softInterrupts] = total.match(/\d+/g) ?? [];
  const times = [user, nice, system, interrupts, softInterrupts].map(Number);
  return times.reduce((sum, time) => sum + time, 0) * MS_PER_JIFFY;
}
