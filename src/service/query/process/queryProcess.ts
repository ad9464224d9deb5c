import { Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { Code } from '@connectrpc/connect';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { getErrorCode } from '../../../base/errorCode';
import { endProcess, memoryLimit, startGuard, watchProcess } from '../../processes/processGuard';
import {
  frameBytes,
  type FrameType,
  type JobEnd,
  jobEndBytes,
  type JobFailure,
  type JobMessage,
  readFrames,
  readJobMessage,
} from '../jobMessages';
import { MEMORY_MARK } from '../toProcessError';
import { engineFailure, JobError } from './jobError';
import type { EngineSource } from './engineSession';
import type { runJob } from './runJob';

/**
 * Loads the module that runs jobs. The module includes a native part, which an installation might
 * lack.
 * @throws JobError Unimplemented
 */
async function loadJobs(): Promise<Jobs> {
  try {
    const { runJob, prepareEngines } = await import('./runJob');
    return { runJob, engines: prepareEngines() };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    const isMissing = getErrorCode(error) === 'MODULE_NOT_FOUND';
    const target = `${process.platform}-${process.arch}`;
    throw new JobError(
      Code.Unimplemented,
      `queries are not available in this installation: the query engine for ${target} ${isMissing ? 'is not installed' : "can't be loaded on this system"}`,
      { cause: error },
    );
  }
}

/** Approximate size of a batch of documents, in bytes. */
const BATCH_BYTES = 64 * 1024;
const MAX_ERROR_CHARS = 500;
/** Parts of a message that can contain user data or reveal the paths of the service's files. */
const QUOTED = /'[^']*'|"[^"]*"|`[^`]*`|(?:[A-Za-z]:)?(?:[\\/][^\s\\/:]+){2,}/g;

/** Module that runs jobs, once it has been loaded, and the databases for the jobs. */
interface Jobs {
  runJob: typeof runJob;
  engines: EngineSource;
}

/** Runs a job and writes its result, with back pressure. Doesn't throw. */
async function processJob(
  message: JobMessage,
  jobs: Promise<Jobs>,
  output: Writable,
): Promise<void> {
  const home = process.cwd();
  let failure: JobFailure | undefined;
  try {
    const { runJob, engines } = await jobs;
    await sendDocuments(runJob(message, engines), output);
  } catch (error) {
    failure = toJobFailure(error);
  }
  process.chdir(home);
  const end: JobEnd = { residentBytes: process.memoryUsage.rss(), ...(failure && { failure }) };
  await send(output, 'ended', jobEndBytes(end));
  if (failure === undefined) (await jobs).engines.prepare(message.limits);
}

async function sendDocuments(
  documents: AsyncIterable<Uint8Array>,
  output: Writable,
): Promise<void> {
  let batch: Uint8Array[] = [];
  let bytes = 0;
  for await (const document of documents) {
    batch.push(document);
    bytes += document.byteLength;
    if (bytes >= BATCH_BYTES) {
      await send(output, 'documents', ...batch);
      batch = [];
      bytes = 0;
    }
  }
  if (batch.length > 0) await send(output, 'documents', ...batch);
}

function toJobFailure(thrown: unknown): JobFailure {
  const error = engineFailure(thrown);
  if (error.code === Code.Internal || error.code === Code.DataLoss) {
    // Written to stderr for the service's log.
    console.error(String(error.cause).replaceAll(QUOTED, '…').slice(0, MAX_ERROR_CHARS));
  }
  return { code: error.code, message: error.message, location: error.location };
}

/** Writes a frame and waits until there is space for the next one. */
async function send(output: Writable, type: FrameType, ...payload: Uint8Array[]): Promise<void> {
  output.cork();
  const written = frameBytes(type, ...payload).map((chunk) => output.write(chunk));
  output.uncork();
  if (written.includes(false)) await once(output, 'drain');
}

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
