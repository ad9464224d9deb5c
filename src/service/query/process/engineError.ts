import { damagedFiles, exhaustedMemory, failedInside, JobError } from './jobError';

/** What DuckDB says of an error. */
export interface EngineError {
  exception_type: string;
  exception_message: string;
  /** Where in the text of the query, in bytes. */
  position?: string;
}

const OUT_OF_MEMORY = 'Out of Memory';
/** "Invalid" is what DuckDB calls exceptions of the libraries that it reads files with. */
const DAMAGED_FILE_KINDS = new Set(['IO', 'Invalid', 'Serialization']);
const DAMAGED_FILE =
  /too small to be a Parquet file|magic bytes|Footer length error|Failed to read file|TProtocolException|Out of buffer|No files found that match|decompress/i;

/** Reads an error of DuckDB, in JSON as it is asked to write them or in words. */
export function readEngineError({ message }: Error): EngineError {
  const start = message.indexOf('{"exception_type"');
  if (start >= 0) {
    return JSON.parse(message.slice(start)) as EngineError;
  }
  // Some are thrown before they are JSON.
  const [, kind = '', said = message] = /^([\w ]+?) Error: ([^]*)$/.exec(message) ?? [];
  return { exception_type: kind, exception_message: said };
}

/** Whether DuckDB wanted more memory than it may have. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && readEngineError(error).exception_type === OUT_OF_MEMORY;
}

/** Whether an error is one that DuckDB reports for files that are missing or damaged. */
export function isDamagedFile(error: unknown): boolean {
  if (!(error instanceof Error)) {
    return false;
  }
  const { exception_type: kind, exception_message: message } = readEngineError(error);
  return DAMAGED_FILE_KINDS.has(kind) || DAMAGED_FILE.test(message);
}

/** What is told of an error that DuckDB makes of a statement of the service, not of a user. */
export function engineFailure(error: unknown): JobError {
  if (error instanceof JobError) {
    return error;
  }
  if (isDamagedFile(error)) {
    return damagedFiles({ cause: error });
  }
  return isOutOfMemory(error) ? exhaustedMemory({ cause: error }) : failedInside({ cause: error });
}
