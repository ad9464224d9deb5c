/** Why a build did not come to its end, in a sentence for the person who reads its output. */
export class BuildFailure extends Error {
  override readonly name = 'BuildFailure';

  /** @param exitCode what the program that ran the build ends with; that of the command that failed */
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}
