/** Why a file cannot be taken as readings at all. */
export type RefusalReason =
  /** Neither UTF-8 nor UTF-16. */
  | { readonly kind: 'encoding' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'noRows' }
  /** The first line of a table has values where names of columns belong. */
  | { readonly kind: 'noHeader' }
  | { readonly kind: 'sameColumn'; readonly column: string }
  | { readonly kind: 'manyColumns'; readonly columns: number; readonly most: number }
  /** A row is longer than any reading may be; mostly a quote that is never closed. */
  | { readonly kind: 'longRow'; readonly line: number }
  | { readonly kind: 'openQuote'; readonly line: number }
  /** What the parser of tables says, in its words. */
  | { readonly kind: 'malformed'; readonly line: number; readonly reason: string };

/** A file is not taken as readings, for a reason that the host puts into words. */
export class ReadingsRefusal extends Error {
  override readonly name = 'ReadingsRefusal';

  constructor(
    readonly reason: RefusalReason,
    cause?: unknown,
  ) {
    super(`The file was rejected: ${reason.kind}.`, { cause });
  }
}
