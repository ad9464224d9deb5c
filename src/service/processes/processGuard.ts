import { writeFileSync, writeSync } from 'node:fs';
import { setPriority } from 'node:os';
import { Worker, workerData } from 'node:worker_threads';

const CHECK_MS = 20;
/** Niceness: if both compete for a processor, the service gets three times as much. */
const PRIORITY = 5;
const STDERR = 2;
/** File that tells Linux to end this process first when memory runs out. */
const OOM_SCORE = '/proc/self/oom_score_adj';
const FIRST_TO_END = '900';

interface MemoryLimit {
  /** The process ends if it uses more memory. */
  maxBytes: number;
  /** Text written to stderr before that. */
  mark: string;
}

interface Watch {
  memory: MemoryLimit | undefined;
  /** ID of the parent process, with which this process also ends. */
  parent: number;
}

/**
 * Lowers the priority of the process, and ends it if it uses too much memory or its parent has
 * exited. A separate thread checks that, because the main thread can be blocked for a long time: it
 * runs the same program, which then calls `watchProcess`.
 * @param memory the limit, if there is one
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
  /** ID of the process that started this one. */
  parent: number;
  /** Parent ID that the system reports now. */
  currentParent: number;
  platform: NodeJS.Platform;
}

/**
 * Returns true if the process that started this one has exited. On Windows, the system keeps
 * reporting the old parent; other systems report another one.
 */
export function isOrphaned({ parent, currentParent, platform }: Ancestry): boolean {
  if (currentParent !== parent) return true;
  if (platform !== 'win32') return false;
  try {
    return !process.kill(parent, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Ends the process immediately: `process.exit` waits for native code to finish. */
export function endProcess(): void {
  process.kill(process.pid, 'SIGKILL');
}

function yieldToOthers(): void {
  try {
    setPriority(PRIORITY);
    if (process.platform === 'linux') {
      writeFileSync(OOM_SCORE, FIRST_TO_END);
    }
  } catch {
    // If the system doesn't allow it, the process runs anyway.
  }
}
