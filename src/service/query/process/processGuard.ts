import { writeFileSync, writeSync } from 'node:fs';
import { setPriority } from 'node:os';
import { Worker, workerData } from 'node:worker_threads';
import { MEMORY_MARK } from '../processFault';

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
  /** It ends also when this process did. */
  parent: number;
}

/**
 * Puts the process behind others, and ends it when it takes too much memory or its parent is gone. A
 * thread of its own looks for that: the main one may be busy with a query for long. The limit is the
 * program's first argument, in bytes.
 */
export function startGuard(): void {
  yieldToOthers();
  const [, program = '', maxBytes] = process.argv;
  const watch: Watch = { maxBytes: Number(maxBytes), parent: process.ppid };
  new Worker(program, { workerData: watch }).unref();
}

/** What the guard's thread does. */
export function watchProcess(): void {
  const { maxBytes, parent } = workerData as Watch;
  setInterval(() => {
    if (process.memoryUsage.rss() > maxBytes) {
      writeSync(STDERR, `${MEMORY_MARK}\n`);
      endProcess();
    }
    if (process.ppid !== parent) {
      endProcess();
    }
  }, CHECK_MS);
}

/** Ends the process at once: `process.exit` waits for the query that runs. */
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
    // A system that does not allow it runs queries all the same.
  }
}
