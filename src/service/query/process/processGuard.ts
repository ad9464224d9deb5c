import { writeSync } from 'node:fs';
import { Worker, workerData } from 'node:worker_threads';
import { MEMORY_MARK } from '../processFault';

const CHECK_MS = 20;
const STDERR = 2;

interface Watch {
  /** The process ends when it holds more. */
  maxBytes: number;
  /** It ends also when this process did. */
  parent: number;
}

/**
 * Ends the process when it takes too much memory or its parent is gone. A thread of its own looks
 * for that: the main one may be busy with a query for long. The limit is the process's first
 * argument, in bytes.
 */
export function startGuard(): void {
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
      process.kill(process.pid, 'SIGKILL');
    }
    if (process.ppid !== parent) {
      process.kill(process.pid, 'SIGKILL');
    }
  }, CHECK_MS);
}
