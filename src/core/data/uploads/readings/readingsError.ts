/** Reason why a file can't be imported as readings. */
export type ReadingsErrorReason =
  /** The file's encoding is neither UTF-8 nor UTF-16. */
  | { readonly kind: 'encoding' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'noRows' }
  /** The first line of a table contains values instead of column names. */
  | { readonly kind: 'noHeader' }
  | { readonly kind: 'sameColumn'; readonly column: string }
  | { readonly kind: 'manyColumns'; readonly columns: number; readonly most: number }
  /** A row exceeds the maximum length of a reading, usually because of an unclosed quote. */
  | { readonly kind: 'longRow'; readonly line: number }
  | { readonly kind: 'openQuote'; readonly line: number }
  /** The table can't be parsed; `reason` is the message from the parser. */
  | { readonly kind: 'malformed'; readonly line: number; readonly reason: string };

/** Error thrown when a file can't be imported as readings. The host localizes the reason. */
export class ReadingsError extends Error {
  override readonly name = 'ReadingsRefusal';

  constructor(
    readonly reason: ReadingsErrorReason,
    cause?: unknown,
  ) {
    super(`The file was rejected: ${reason.kind}.`, { cause });
  }
}
