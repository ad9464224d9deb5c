import { writeFileSync, writeSync } from 'node:fs';
import { setPriority } from 'node:os';
import { Worker, workerData } from 'node:worker_threads';

const CHECK_MS = 20;
/** The service gets three times as much of a processor that both want. */
const PRIORITY = 5;
const STDERR = 2;
/** Where Linux is told which process to end first when memory runs out, and that it is this. */
const OOM_SCORE = '/proc/self/oom_score_adj';
const FIRST_TO_END = '900';

interface MemoryLimit {
  /** The process ends when it holds more. */
  maxBytes: number;
  /** Written to stderr before that. */
  mark: string;
}

interface Watch {
  memory: MemoryLimit | undefined;
  /** The process ends also when this one has. */
  parent: number;
}

/**
 * Lowers the priority of the process, and ends it when it takes too much memory or its parent has exited. A
 * thread of its own checks that, because the main thread can be busy for long: it runs the same program, which
 * then calls `watchProcess`.
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
  /** The process that started this one. */
  parent: number;
  /** What the system says now. */
  currentParent: number;
  platform: NodeJS.Platform;
}

/**
 * Tests whether the process that started this one has exited. Other systems then name another parent;
 * Windows names the old one forever.
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

/** Ends the process at once: `process.exit` waits for what native code does. */
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
    // A system that does not allow it runs it all the same.
  }
}
