import { deserialize, serialize } from 'node:v8';
import type { Code } from '@connectrpc/connect';
import type { QueryJob } from './queryJob';

/** What a job may use. */
export interface JobLimits {
  /** How many threads work on it. */
  threads: number;
  /** How much DuckDB may hold; the process ends when all it holds is much more. */
  memoryBytes: number;
}

/** What a process is sent for each job. */
export interface JobMessage {
  job: QueryJob;
  limits: JobLimits;
}

/**
 * Where a query is wrong: in the text of SQL, in UTF-16 code units with the end excluded, or in a stage of
 * a pipeline, the first of which is 0, at the end of a path of names and places in lists.
 */
export type FaultPlace =
  | { start: number; end: number }
  | { stage: number; path: readonly string[] };

/** Why a job failed, in words for the caller. */
export interface JobFailure {
  code: Code;
  message: string;
  place?: FaultPlace | undefined;
}

/** How a job ended. */
export interface JobEnd {
  failure?: JobFailure;
  /** What the process holds after it, in bytes. */
  heldBytes: number;
}

/** Both ends are the same build in the same Node, so that its own format of values serves. */
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
