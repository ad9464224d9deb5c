import { Code } from '@connectrpc/connect';
import type { ErrorLocation } from '../jobMessages';
import { TOO_MUCH_MEMORY } from '../toProcessError';

export interface JobErrorOptions extends ErrorOptions {
  /** The error's position in the query, if known. */
  location?: ErrorLocation | undefined;
}

/** Job failure, with a code and a message for the caller. */
export class JobError extends Error {
  override readonly name = 'JobError';
  readonly location: ErrorLocation | undefined;

  constructor(
    readonly code: Code,
    message: string,
    options?: JobErrorOptions,
  ) {
    super(message, options);
    this.location = options?.location;
  }
}

/** Returns the error for an invalid query. */
export function invalidQuery(message: string, options?: JobErrorOptions): JobError {
  return new JobError(Code.InvalidArgument, message, options);
}

/** Returns the error for a query that exceeds a limit. */
export function exhausted(message: string, options?: ErrorOptions): JobError {
  return new JobError(Code.ResourceExhausted, message, options);
}

/**
 * Returns the error for unreadable readings files. In response to this error, the service checks
 * and rebuilds the files.
 */
export function damagedFiles(options?: ErrorOptions): JobError {
  return new JobError(Code.DataLoss, "files of the readings can't be read", options);
}

/** Returns the error for an internal failure. The error reveals no details to the caller. */
export function failedInside(options?: ErrorOptions): JobError {
  return new JobError(Code.Internal, 'the query failed inside the service', options);
}

/** Returns the error for a query that exceeds its memory limit. */
export function exhaustedMemory(options?: ErrorOptions): JobError {
  return exhausted(TOO_MUCH_MEMORY, options);
}

/** Contents of a DuckDB error. */
export interface EngineError {
  exception_type: string;
  exception_message: string;
  /** Position in the query text, in bytes. */
  position?: string;
}

const OUT_OF_MEMORY = 'Out of Memory';
/**
 * Error kinds for damaged files. DuckDB reports exceptions from its file format libraries as
 * "Invalid".
 */
const DAMAGED_FILE_KINDS = new Set(['IO', 'Invalid', 'Serialization']);
const INVALID_INPUT = 'Invalid Input';
/**
 * Matches messages from the Parquet reader. Their error kind alone isn't sufficient, because
 * mistakes in a user's query have the same kind.
 */
const DAMAGED_PARQUET_FILE =
  /^(?:File '.*' too small to be a Parquet file|No magic bytes found at end of file '|Footer length error in file '|Invalid footer length provided for file '|Failed to read (?:Parquet )?file ["']|(?:Parquet file|File) '.*': metadata is corrupt|Invalid string encoding found in Parquet file ")/;

/** Parses a DuckDB error, which is either JSON, as requested, or plain text. */
export function readEngineError({ message }: Error): EngineError {
  const start = message.indexOf('{"exception_type"');
  if (start >= 0) return JSON.parse(message.slice(start)) as EngineError;
  // DuckDB throws some errors before it can convert them to JSON.
  const [, kind = '', text = message] = /^([\w ]+?) Error: ([^]*)$/.exec(message) ?? [];
  return { exception_type: kind, exception_message: text };
}

/** Returns true if DuckDB exceeded its memory limit. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && readEngineError(error).exception_type === OUT_OF_MEMORY;
}

/** Returns true for DuckDB errors about missing or damaged files. */
export function isDamagedFile(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { exception_type: kind, exception_message: message } = readEngineError(error);
  return (
    DAMAGED_FILE_KINDS.has(kind) || (kind === INVALID_INPUT && DAMAGED_PARQUET_FILE.test(message))
  );
}

/** Converts a DuckDB error in a statement that was written by the service rather than by a user. */
export function engineFailure(error: unknown): JobError {
  if (error instanceof JobError) return error;
  if (isDamagedFile(error)) return damagedFiles({ cause: error });
  return isOutOfMemory(error) ? exhaustedMemory({ cause: error }) : failedInside({ cause: error });
}
