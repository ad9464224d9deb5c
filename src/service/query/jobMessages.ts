import { deserialize, serialize } from 'node:v8';
import { Code } from '@connectrpc/connect';
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

/** Why a job failed, in words for the caller. */
export interface JobFailure {
  code: Code;
  message: string;
}

/** Both ends are the same build in the same Node, so that its own format of values serves. */
export function jobMessageBytes(message: JobMessage): Buffer {
  return serialize(message);
}

export function readJobMessage(bytes: Uint8Array): JobMessage {
  return deserialize(bytes) as JobMessage;
}

export function jobFailureBytes(failure: JobFailure): Buffer {
  return Buffer.from(JSON.stringify(failure));
}

export function readJobFailure(bytes: Uint8Array): JobFailure {
  const read = JSON.parse(Buffer.from(bytes).toString()) as Partial<JobFailure>;
  return { code: read.code ?? Code.Internal, message: read.message ?? '' };
}
