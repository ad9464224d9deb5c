import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { Code } from '@connectrpc/connect';
import { frameBytes, type FrameType } from '../frames';
import { type JobEnd, jobEndBytes, type JobFailure, type JobMessage } from '../jobMessages';
import { engineFailure } from './engineError';
import type { runJob } from './runJob';

/** Approximate size of a batch of documents, in bytes. */
const BATCH_BYTES = 64 * 1024;
const MAX_FAULT_LETTERS = 500;
/** Parts of a message that can contain user data or reveal the paths of the service's files. */
const QUOTED = /'[^']*'|"[^"]*"|`[^`]*`|(?:[A-Za-z]:)?(?:[\\/][^\s\\/:]+){2,}/g;

/** Module that runs jobs, once it has been loaded. */
export interface Jobs {
  runJob: typeof runJob;
}

/** Runs a job and writes its result, with back pressure. Doesn't throw. */
export async function processJob(
  message: JobMessage,
  jobs: Promise<Jobs>,
  output: Writable,
): Promise<void> {
  const home = process.cwd();
  let failure: JobFailure | undefined;
  try {
    await sendDocuments((await jobs).runJob(message), output);
  } catch (error) {
    failure = toJobFailure(error);
  }
  process.chdir(home);
  const end: JobEnd = { residentBytes: process.memoryUsage.rss(), ...(failure && { failure }) };
  await send(output, 'ended', jobEndBytes(end));
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
  if (batch.length > 0) {
    await send(output, 'documents', ...batch);
  }
}

function toJobFailure(thrown: unknown): JobFailure {
  const error = engineFailure(thrown);
  if (error.code === Code.Internal || error.code === Code.DataLoss) {
    // Written to stderr for the service's log.
    console.error(String(error.cause).replaceAll(QUOTED, '…').slice(0, MAX_FAULT_LETTERS));
  }
  return { code: error.code, message: error.message, location: error.location };
}

/** Writes a frame and waits until there is space for the next one. */
export async function send(
  output: Writable,
  type: FrameType,
  ...payload: Uint8Array[]
): Promise<void> {
  output.cork();
  const written = frameBytes(type, ...payload).map((chunk) => output.write(chunk));
  output.uncork();
  if (written.includes(false)) {
    await once(output, 'drain');
  }
}
