import { writeFileSync, writeSync } from 'node:fs';
import { setPriority, totalmem } from 'node:os';
import { Worker, workerData } from 'node:worker_threads';
import { getErrorCode } from '../../base/errorCode';

const CHECK_MS = 20;
/**
 * Niceness value. When the service and a process compete for a processor, the service gets three
 * times as much time.
 */
const PRIORITY = 5;
const STDERR = 2;
/** File that causes Linux to kill this process first when memory runs out. */
const OOM_SCORE = '/proc/self/oom_score_adj';
const FIRST_TO_END = '900';

interface MemoryLimit {
  /** Memory limit in bytes. The process exits if it exceeds this limit. */
  maxBytes: number;
  /** Text that is written to stderr before the process exits. */
  mark: string;
}

interface Watch {
  memory: MemoryLimit | undefined;
  /** ID of the parent process. This process also exits when the parent exits. */
  parent: number;
}

/**
 * Lowers the process's priority. Terminates the process if it uses too much memory or its parent
 * has exited. The checks run in a separate thread, because the main thread can be blocked for a
 * long time. The thread runs the same program, which must then call `watchProcess`.
 * @param memory memory limit, if there is one
 */
export function startGuard(memory?: MemoryLimit): void {
  yieldToOthers();
  const [, program = ''] = process.argv;
  const watch: Watch = { memory, parent: process.ppid };
  new Worker(program, { workerData: watch }).unref();
}

/** Returns the limit that `ProgramProcess` passes to its program. */
export function memoryLimit(mark: string): MemoryLimit {
  return { maxBytes: Number(process.argv[2]), mark };
}

/** Runs the guard in its thread. */
export function watchProcess(): void {
  const { memory, parent } = workerData as Watch;
  setInterval(() => {
    if (memory && process.memoryUsage.rss() > memory.maxBytes) {
      writeSync(STDERR, `${memory.mark}\n`);
      endProcess();
    }
    if (isOrphaned({ parent, currentParent: process.ppid, platform: process.platform })) {
      endProcess();
    }
  }, CHECK_MS);
}

interface Ancestry {
  /** ID of the process that started this process. */
  parent: number;
  /** ID of the parent that the system currently reports. */
  currentParent: number;
  platform: NodeJS.Platform;
}

/**
 * Returns true if the process that started this process has exited. Windows continues to report the
 * old parent's ID. Other systems report a different ID.
 */
export function isOrphaned({ parent, currentParent, platform }: Ancestry): boolean {
  if (currentParent !== parent) return true;
  if (platform !== 'win32') return false;
  try {
    return !process.kill(parent, 0);
  } catch (error) {
    return getErrorCode(error) === 'ESRCH';
  }
}

/**
 * Terminates the process immediately. In contrast, `process.exit` waits for native code to finish.
 */
export function endProcess(): void {
  process.kill(process.pid, 'SIGKILL');
}

function yieldToOthers(): void {
  try {
    setPriority(PRIORITY);
    if (process.platform === 'linux') writeFileSync(OOM_SCORE, FIRST_TO_END);
  } catch {
    // If the system doesn't allow the change, the process runs without it.
  }
}

/** Returns the memory, in bytes, of this computer or of the container in which the service runs. */
export function machineMemory(): number {
  // In a container without a memory limit, the reported limit is 0 or more than the memory of any
  // computer.
  return Math.min(totalmem(), process.constrainedMemory() || Infinity);
}
