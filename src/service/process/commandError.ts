export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;

/** A failure that one line explains to anyone who started the process: what, and what to do. */
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

/** The command line asks for something that does not exist or does not fit together. */
export function usageError(message: string): CommandError {
  return new CommandError(`${message}. Run with --help for usage.`, EXIT_USAGE);
}

/** The code of a system error (`EACCES`), or undefined. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
