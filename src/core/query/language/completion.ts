/** Kind of a suggestion. */
export type CompletionKind =
  | 'keyword'
  | 'function'
  | 'table'
  | 'column'
  | 'field'
  | 'stage'
  | 'operator'
  | 'value'
  | 'parameter';

/** Topic for which the host has documentation. */
export interface Topic {
  readonly kind: CompletionKind;
  /** Name of the topic, such as `$match`, `time_received`, or `date_trunc`. */
  readonly name: string;
}

/** Text that is suggested at the cursor. */
export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** Text next to the label, such as a type or the parameters of a function; not localized. */
  readonly detail?: string;
  /** Text to insert; absent to insert the label. */
  readonly insert?: string;
  /**
   * True if `insert` is a snippet, in which `${1:name}` and `$0` are placeholders and `\$` is a
   * dollar sign.
   */
  readonly isSnippet?: boolean;
}

export interface Completions {
  /** Start of the typed text, in UTF-16 code units. */
  readonly from: number;
  /** End of the range to replace; absent for the requested offset. */
  readonly to?: number;
  readonly options: readonly Completion[];
}

/** Range in a query that has hover information. */
export interface Hovered extends Topic {
  readonly start: number;
  readonly end: number;
  /** Type, or parameters of a function. */
  readonly detail?: string;
}

/** Returns an empty list of suggestions. */
export function noCompletions(from: number): Completions {
  return { from, options: [] };
}
