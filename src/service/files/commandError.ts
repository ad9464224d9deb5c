export const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/**
 * Failure with a one-line message for the user who started the process. The message explains what
 * failed and what to do.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    message: string,
    readonly exitCode = EXIT_FAILED,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Returns the error for a command line with unknown or conflicting arguments. */
export function usageError(message: string): CommandError {
  return new CommandError(`${message}. Run with --help for usage.`, EXIT_USAGE);
}
