import { deserialize, serialize } from 'node:v8';
import type { Code } from '@connectrpc/connect';
import type { QueryJob } from './queryJob';

/** Resource limits of a job. */
export interface JobLimits {
  /** Number of threads. */
  threads: number;
  /** DuckDB's memory limit in bytes. The process exits if its total memory is much larger. */
  memoryBytes: number;
}

/** Message to a process for each job. */
export interface JobMessage {
  job: QueryJob;
  limits: JobLimits;
}

/**
 * An error's position in a query. For SQL, a range in the text in UTF-16 code units, with an
 * exclusive end. For a pipeline, a zero-based stage index and a path of names and list indexes
 * within the stage.
 */
export type ErrorLocation =
  | { start: number; end: number }
  | { stage: number; path: readonly string[] };

/** Reason why a job failed, with a message for the caller. */
export interface JobFailure {
  code: Code;
  message: string;
  location?: ErrorLocation | undefined;
}

/** Outcome of a job. */
export interface JobEnd {
  failure?: JobFailure;
  /** Memory in bytes that the process uses after the job. */
  residentBytes: number;
}

/**
 * Encodes a message in Node.js's serialization format. This is safe, because both sides are the
 * same build and use the same Node.js version.
 */
export function jobMessageBytes(message: JobMessage): Buffer {
  return serialize(message);
}

export function readJobMessage(bytes: Uint8Array): JobMessage {
  return deserialize(bytes) as JobMessage;
}

export function jobEndBytes(end: JobEnd): Buffer {
  return Buffer.from(JSON.stringify(end));
}

export function readJobEnd(bytes: Uint8Array): JobEnd {
  return JSON.parse(Buffer.from(bytes).toString()) as JobEnd;
}

/**
 * Unit of data on the pipes between the service and a query process. Consists of a type, a length,
 * and a payload.
 */
export interface Frame {
  type: FrameType;
  payload: Buffer;
}

/**
 * - `job`: to the process, the job to run.
 * - `ready`: from the process, once, when it can accept jobs.
 * - `documents`: from the process, concatenated BSON documents.
 * - `ended`: from the process, the job's outcome. The job sends no more frames after this one.
 */
const FRAME_TYPES = ['job', 'ready', 'documents', 'ended'] as const;
export type FrameType = (typeof FRAME_TYPES)[number];

const HEADER_BYTES = 5;
/**
 * Maximum frame size, which is far larger than any frame that either side sends. A longer frame
 * means that the sender has a bug.
 */
const MAX_FRAME_BYTES = 256 * 1024 * 1024;

/** Returns a frame's bytes. The payload can consist of multiple chunks. */
export function frameBytes(type: FrameType, ...payload: readonly Uint8Array[]): Uint8Array[] {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(FRAME_TYPES.indexOf(type), 0);
  header.writeUInt32LE(
    payload.reduce((sum, { byteLength }) => sum + byteLength, 0),
    1,
  );
  return [header, ...payload];
}

/**
 * Yields frames as they arrive, without reading ahead of the consumer.
 * @throws if the bytes are not frames or end in the middle of a frame.
 */
export async function* readFrames(source: AsyncIterable<Buffer>): AsyncGenerator<Frame, void> {
  let chunks: Buffer[] = [];
  let buffered = 0;
  let requiredBytes = HEADER_BYTES;
  for await (const chunk of source) {
    chunks.push(chunk);
    buffered += chunk.byteLength;
    while (buffered >= requiredBytes) {
      const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, buffered);
      const { type, end } = readHeader(bytes);
      requiredBytes = end;
      chunks = [bytes];
      if (buffered >= end) {
        yield { type, payload: bytes.subarray(HEADER_BYTES, end) };
        chunks = buffered > end ? [bytes.subarray(end)] : [];
        buffered -= end;
        requiredBytes = HEADER_BYTES;
      }
    }
  }
  if (buffered > 0) throw new Error('the pipe was closed within a frame');
}

function readHeader(bytes: Buffer): { type: FrameType; end: number } {
  const type = FRAME_TYPES[bytes.readUInt8(0)];
  const length = bytes.readUInt32LE(1);
  if (type === undefined || length > MAX_FRAME_BYTES) throw new Error('the pipe sent invalid data');
  return { type, end: HEADER_BYTES + length };
}
