import { Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { endProcess, memoryLimit, startGuard, watchProcess } from '../../processes/processGuard';
import { readFrames } from '../frames';
import { readJobMessage } from '../jobMessages';
import { MEMORY_MARK } from '../toProcessError';
import { processJob, send } from './processJob';
import { loadJobs } from './loadJobs';

/**
 * The query process program: runs jobs received on stdin one after the other, responds on stdout,
 * and exits when stdin ends.
 */
async function main(): Promise<void> {
  startGuard(memoryLimit(MEMORY_MARK));
  // `process.stdout` writes to pipes synchronously and blocks until they are read.
  const output = new Socket({ fd: 1, readable: false, writable: true });
  output.on('error', endProcess);
  // Loads in advance; if it fails, the first job reports the error.
  const jobs = loadJobs();
  void jobs.catch(() => undefined).then(() => send(output, 'ready'));
  for await (const { payload } of readFrames(process.stdin)) {
    // Not awaited, so that the end of stdin is noticed while a job runs.
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
