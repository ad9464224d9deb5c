/** Error thrown when a build fails, with a sentence for the reader of its output. */
export class BuildFailure extends Error {
  override readonly name = 'BuildFailure';

  /** @param exitCode exit code of the program that ran the build; that of the failed command */
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}
