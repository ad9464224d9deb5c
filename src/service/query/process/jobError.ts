import { Code } from '@connectrpc/connect';

/** Ends a job with a code and a sentence that its caller reads. */
export class JobError extends Error {
  constructor(
    readonly code: Code,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'JobError';
  }
}

/** The query is at fault. */
export function invalidQuery(message: string, options?: ErrorOptions): JobError {
  return new JobError(Code.InvalidArgument, message, options);
}

/** The query wants more than a query may have. */
export function exhausted(message: string, options?: ErrorOptions): JobError {
  return new JobError(Code.ResourceExhausted, message, options);
}
