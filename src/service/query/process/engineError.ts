import { damagedFiles, exhaustedMemory, failedInside, JobError } from './jobError';

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
 * Matches messages of the Parquet reader. Their error kind alone isn't sufficient, because mistakes
 * in a user's query have the same kind.
 */
const DAMAGED_PARQUET_FILE =
  /^(?:File '.*' too small to be a Parquet file|No magic bytes found at end of file '|Footer length error in file '|Invalid footer length provided for file '|Failed to read (?:Parquet )?file ["']|(?:Parquet file|File) '.*': metadata is corrupt|Invalid string encoding found in Parquet file ")/;

/** Parses a DuckDB error, which is either JSON, as requested, or plain text. */
export function readEngineError({ message }: Error): EngineError {
  const start = message.indexOf('{"exception_type"');
  if (start >= 0) {
    return JSON.parse(message.slice(start)) as EngineError;
  }
  // DuckDB throws some errors before it can convert them to JSON.
  const [, kind = '', said = message] = /^([\w ]+?) Error: ([^]*)$/.exec(message) ?? [];
  return { exception_type: kind, exception_message: said };
}

/** Returns true if DuckDB exceeded its memory limit. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && readEngineError(error).exception_type === OUT_OF_MEMORY;
}

/** Returns true for DuckDB errors about missing or damaged files. */
export function isDamagedFile(error: unknown): boolean {
  if (!(error instanceof Error)) {
    return false;
  }
  const { exception_type: kind, exception_message: message } = readEngineError(error);
  return (
    DAMAGED_FILE_KINDS.has(kind) || (kind === INVALID_INPUT && DAMAGED_PARQUET_FILE.test(message))
  );
}

/** Converts a DuckDB error in a statement that the service, not a user, has written. */
export function engineFailure(error: unknown): JobError {
  if (error instanceof JobError) {
    return error;
  }
  if (isDamagedFile(error)) {
    return damagedFiles({ cause: error });
  }
  return isOutOfMemory(error) ? exhaustedMemory({ cause: error }) : failedInside({ cause: error });
}
