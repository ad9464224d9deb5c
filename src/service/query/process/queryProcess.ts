import { Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { endProcess, memoryLimit, startGuard, watchProcess } from '../../processes/processGuard';
import { readFrames } from '../frames';
import { readJobMessage } from '../jobMessages';
import { MEMORY_MARK } from '../processFault';
import { answerJob, send } from './answerJob';
import { loadJobs } from './loadJobs';

/**
 * The program of a query process: it does the jobs that come over stdin one after the other, answers
 * over stdout, and ends with its stdin.
 */
async function main(): Promise<void> {
  startGuard(memoryLimit(MEMORY_MARK));
  // `process.stdout` writes to pipes without returning until they are read.
  const output = new Socket({ fd: 1, readable: false, writable: true });
  output.on('error', endProcess);
  // Ahead of the first job, which tells when it fails.
  const jobs = loadJobs();
  void jobs.catch(() => undefined).then(() => send(output, 'ready'));
  for await (const { payload } of readFrames(process.stdin)) {
    // Not waited for, so that the end of stdin is noticed while a job runs.
    void answerJob(readJobMessage(payload), jobs, output);
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
