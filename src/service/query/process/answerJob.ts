import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { Code } from '@connectrpc/connect';
import { frameBytes, type FrameType } from '../frames';
import { jobFailureBytes, type JobFailure, type JobMessage } from '../jobMessages';
import { JobError } from './jobError';
import type { runJob } from './runJob';

/** Documents go in batches of about this many bytes. */
const BATCH_BYTES = 64 * 1024;

/** Does a job and writes what comes of it, no faster than it is read. It does not throw. */
export async function answerJob(message: JobMessage, output: Writable): Promise<void> {
  const home = process.cwd();
  try {
    await sendDocuments(message, output);
    await send(output, 'done');
  } catch (error) {
    await send(output, 'failed', jobFailureBytes(failureOf(error)));
  } finally {
    process.chdir(home);
  }
}

async function sendDocuments(message: JobMessage, output: Writable): Promise<void> {
  // DuckDB is loaded here, so that an installation without it gets an answer.
  const jobs = await loadJobs();
  let batch: Uint8Array[] = [];
  let bytes = 0;
  for await (const document of jobs.runJob(message)) {
    batch.push(document);
    bytes += document.byteLength;
    if (bytes >= BATCH_BYTES) {
      await send(output, 'documents', ...batch);
      batch = [];
      bytes = 0;
    }
  }
  if (batch.length > 0) {
    await send(output, 'documents', ...batch);
  }
}

async function loadJobs(): Promise<{ runJob: typeof runJob }> {
  try {
    return await import('./runJob');
  } catch (error) {
    const found = error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
    console.error(error);
    throw new JobError(
      Code.Unimplemented,
      `queries are not available in this installation: their native part for ${process.platform}-${process.arch} ${found ? 'is missing' : 'cannot be loaded here'}`,
    );
  }
}

function failureOf(error: unknown): JobFailure {
  if (error instanceof JobError) {
    return { code: error.code, message: error.message };
  }
  // For the log of the service; the caller learns nothing of what is inside.
  console.error(error);
  return { code: Code.Internal, message: 'the query failed inside the service' };
}

async function send(output: Writable, type: FrameType, ...payload: Uint8Array[]): Promise<void> {
  output.cork();
  const written = frameBytes(type, ...payload).map((piece) => output.write(piece));
  output.uncork();
  if (written.includes(false)) {
    await once(output, 'drain');
  }
}
