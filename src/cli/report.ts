/** Output streams of a command: for results and for messages. */
export interface Output {
  /** Writes to stdout. */
  readonly result: (text: string) => void;
  /** Writes a sentence to the user on stderr. */
  readonly say: (sentence: string) => void;
}

/** Prints one JSON object. */
export function printJson({ result }: Output, value: object): void {
  result(JSON.stringify(value));
}

/** Reports why a command failed. */
export function reportError(
  output: Output,
  { kind, message }: { readonly kind: string; readonly message: string },
  json: boolean,
): void {
  if (json) printJson(output, { ok: false, error: { kind, message } });
  output.say(`error: ${message.replaceAll(/\s*\n\s*/g, ' ')}`);
}

/** Exit codes of the process, for use in scripts. */
export const EXIT_DONE = 0;
export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;
/** The manifest or the build has errors; nothing was sent. */
export const EXIT_UNFIT = 3;
