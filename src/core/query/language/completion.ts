/** What a suggestion stands for. */
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

/** What words can be said about: the host has them. */
export interface Topic {
  readonly kind: CompletionKind;
  /** Such as `$match`, `time_received` or `date_trunc`. */
  readonly name: string;
}

/** A text that may stand where one is typing. */
export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** Beside the label, such as a type or what a function takes. The same in all languages of people. */
  readonly detail?: string;
  /** What stands in the place of what was typed; absent: the label. */
  readonly insert?: string;
  /** Whether `${1:name}` and `$0` in `insert` mark places to fill in, and `\$` is a dollar. */
  readonly isSnippet?: boolean;
}

export interface Completions {
  /** Where what was typed begins, in UTF-16 code units. */
  readonly from: number;
  /** Where what is replaced ends; absent: at the place that was asked for. */
  readonly to?: number;
  readonly options: readonly Completion[];
}

/** A stretch of a query that something can be said about. */
export interface Hovered extends Topic {
  readonly start: number;
  readonly end: number;
  /** A type, or what a function takes. */
  readonly detail?: string;
}

/** Nothing to suggest at a place. */
export function noCompletions(from: number): Completions {
  return { from, options: [] };
}
