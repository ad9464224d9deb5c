/** Output streams of a command: for results and for messages. */
export interface Output {
  /** Writes to stdout. */
  readonly result: (text: string) => void;
  /** Writes a sentence for people to stderr. */
  readonly say: (sentence: string) => void;
}

/** Prints one JSON object. */
export function printJson({ result }: Output, value: object): void {
  result(JSON.stringify(value));
}
