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
 * Position of an error in a query. For SQL, a range of the text in UTF-16 code units, with an
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
