/** Where a command writes: results, and what goes along with them. */
export interface Output {
  /** To stdout. */
  readonly result: (text: string) => void;
  /** To stderr: a sentence for anyone who reads the log of a run. */
  readonly say: (sentence: string) => void;
}

/** Prints one object of JSON. */
export function printJson({ result }: Output, value: object): void {
  result(JSON.stringify(value));
}
