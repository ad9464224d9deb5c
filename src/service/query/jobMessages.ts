import { deserialize, serialize } from 'node:v8';
import type { Code } from '@connectrpc/connect';
import type { QueryJob } from './queryJob';

/** Resource limits of a job. */
export interface JobLimits {
  /** Number of threads. */
  threads: number;
  /** Memory limit of DuckDB; the process ends if its total memory is much larger. */
  memoryBytes: number;
}

/** Message to a process for each job. */
export interface JobMessage {
  job: QueryJob;
  limits: JobLimits;
}

/**
 * Position of an error in a query: a range in the SQL text, in UTF-16 code units with an exclusive
 * end; or a stage of a pipeline, counted from 0, and a path of names and list indexes in it.
 */
export type ErrorLocation =
  | { start: number; end: number }
  | { stage: number; path: readonly string[] };

/** Reason why a job failed, with a message for the caller. */
export interface JobFailure {
  code: Code;
  message: string;
  place?: ErrorLocation | undefined;
}

/** Outcome of a job. */
export interface JobEnd {
  failure?: JobFailure;
  /** Memory that the process uses after the job, in bytes. */
  heldBytes: number;
}

/**
 * Both sides are the same build on the same Node version, so Node's own serialization format can be
 * used.
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
