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

interface Watch {
  /** The process ends when it holds more. */
  maxBytes: number;
  /** What it writes to stderr before. */
  memoryMark: string;
  /** It ends also when this process did. */
  parent: number;
}

/**
 * Puts the process behind others, and ends it when it takes too much memory or its parent is gone. A
 * thread of its own looks for that: the main one may be busy for long. The limit is the program's first
 * argument, in bytes.
 * @param memoryMark what is written to stderr when it took too much.
 */
export function startGuard(memoryMark: string): void {
  yieldToOthers();
  const [, program = '', maxBytes] = process.argv;
  const watch: Watch = { maxBytes: Number(maxBytes), memoryMark, parent: process.ppid };
  new Worker(program, { workerData: watch }).unref();
}

/** What the guard's thread does. */
export function watchProcess(): void {
  const { maxBytes, memoryMark, parent } = workerData as Watch;
  setInterval(() => {
    if (process.memoryUsage.rss() > maxBytes) {
      writeSync(STDERR, `${memoryMark}\n`);
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
