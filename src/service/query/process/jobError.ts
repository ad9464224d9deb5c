import { Code } from '@connectrpc/connect';
import type { FaultPlace } from '../jobMessages';
import { TOO_MUCH_MEMORY } from '../processFault';

export interface JobErrorOptions extends ErrorOptions {
  /** Where the query is wrong, when it is known. */
  place?: FaultPlace | undefined;
}

/** Ends a job with a code and a sentence that its caller reads. */
export class JobError extends Error {
  readonly place: FaultPlace | undefined;

  constructor(
    readonly code: Code,
    message: string,
    options?: JobErrorOptions,
  ) {
    super(message, options);
    this.name = 'JobError';
    this.place = options?.place;
  }
}

/** The query is at fault. */
export function invalidQuery(message: string, options?: JobErrorOptions): JobError {
  return new JobError(Code.InvalidArgument, message, options);
}

/** The query wants more than a query may have. */
export function exhausted(message: string, options?: ErrorOptions): JobError {
  return new JobError(Code.ResourceExhausted, message, options);
}

/** A file of the readings can't be read: the service checks them, and builds them again. */
export function damagedFiles(options?: ErrorOptions): JobError {
  return new JobError(Code.DataLoss, "files of the readings can't be read", options);
}

/** Neither query nor data is at fault; the caller learns nothing of what is inside. */
export function failedInside(options?: ErrorOptions): JobError {
  return new JobError(Code.Internal, 'the query failed inside the service', options);
}

/** The query wants more memory than one may have. */
export function exhaustedMemory(options?: ErrorOptions): JobError {
  return exhausted(TOO_MUCH_MEMORY, options);
}
