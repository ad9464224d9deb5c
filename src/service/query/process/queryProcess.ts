import { Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { endProcess, memoryLimit, startGuard, watchProcess } from '../../processes/processGuard';
import { readFrames } from '../frames';
import { readJobMessage } from '../jobMessages';
import { MEMORY_MARK } from '../toProcessError';
import { processJob, send } from './processJob';
import { loadJobs } from './loadJobs';

/**
 * Runs the query process program, which runs jobs received on stdin sequentially, responds on
 * stdout, and exits when stdin ends.
 */
async function main(): Promise<void> {
  startGuard(memoryLimit(MEMORY_MARK));
  // `process.stdout` writes to pipes synchronously and blocks until the other side reads them.
  const output = new Socket({ fd: 1, readable: false, writable: true });
  output.on('error', endProcess);
  // Loads the module in advance. If this fails, the first job reports the error.
  const jobs = loadJobs();
  void jobs.catch(() => undefined).then(() => send(output, 'ready'));
  for await (const { payload } of readFrames(process.stdin)) {
    // Not awaited, so that this loop notices the end of stdin while a job is running.
    void processJob(readJobMessage(payload), jobs, output);
  }
  endProcess();
}

if (isMainThread) {
  main().catch((error: unknown) => {
    console.error(error);
    endProcess();
  });
} else {
  watchProcess();
}
