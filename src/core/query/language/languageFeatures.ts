import type { TextSpan } from '../../model/query';

/**
 * Rule that detects an error or warning in a query before it runs. The host provides the messages.
 */
export type DiagnosticRule =
  /** A string, quoted name, or comment isn't closed. `subject`: its opening characters. */
  | 'notClosed'
  /** A bracket has no matching bracket. `subject`: the bracket. */
  | 'bracket'
  /** The statement isn't a SELECT. `subject`: its first word. */
  | 'notSelect'
  | 'severalStatements'
  /** The text isn't valid JSON. `subject`: the parser's name for the error. */
  | 'notJson'
  | 'notPipeline'
  /** A stage isn't an object with one field. */
  | 'notStage'
  | 'unknownStage'
  /** `subject` is not a known operator of expressions or conditions. */
  | 'unknownOperator'
  /** `subject` is not the name of a known table. */
  | 'unknownTable'
  | 'unknownColumn'
  /** `subject` is a DuckDB keyword that can be used as an alias only after AS. */
  | 'aliasNeedsAs'
  /** No sampled reading has a value at the path `subject`. */
  | 'unknownField'
  | 'noLimit'
  | 'noLowerTimeBound'
  /**
   * The database can't run the group itself because of `subject`, which is an operator, an
   * expression, or an earlier stage.
   */
  | 'groupNotPushedDown';

/** Kind of quick fix for a diagnostic. */
export type FixKind =
  /** `subject`: the number of rows. */
  | 'addLimit'
  | 'addTimeBound'
  /** `subject`: the replacement. */
  | 'replace';

export interface Edit extends TextSpan {
  readonly insert: string;
}

export interface Fix {
  readonly kind: FixKind;
  readonly subject: string;
  readonly edits: readonly Edit[];
}

export type Severity = 'error' | 'warning' | 'information';

export interface Diagnostic extends TextSpan {
  readonly severity: Severity;
  readonly rule: DiagnosticRule;
  readonly subject: string;
  readonly fixes: readonly Fix[];
}

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
  /** Text next to the label, such as a type or a function's parameters; not localized. */
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
  /** Type, or a function's parameters. */
  readonly detail?: string;
}

/** Returns an empty list of suggestions. */
export function noCompletions(from: number): Completions {
  return { from, options: [] };
}
