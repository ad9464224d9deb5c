/**
 * Error thrown when a build fails. Its message is a sentence for the reader of the build output.
 */
export class BuildFailure extends Error {
  override readonly name = 'BuildFailure';

  /** @param exitCode exit code of the program that ran the build, taken from the failed command */
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}
