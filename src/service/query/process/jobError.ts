import { Code } from '@connectrpc/connect';
import type { ErrorLocation } from '../jobMessages';
import { TOO_MUCH_MEMORY } from '../toProcessError';

export interface JobErrorOptions extends ErrorOptions {
  /** Position of the error in the query, if known. */
  location?: ErrorLocation | undefined;
}

/** Failure of a job, with a code and a message for the caller. */
export class JobError extends Error {
  readonly location: ErrorLocation | undefined;

  constructor(
    readonly code: Code,
    message: string,
    options?: JobErrorOptions,
  ) {
    super(message, options);
    this.name = 'JobError';
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
