import type { TextSpan } from '../../model/query';

/** What is wrong or doubtful in a text before it is run. The host has words for each. */
export type FindingRule =
  /** A text, quoted name or comment has no end. `subject`: what it begins with. */
  | 'notClosed'
  /** A bracket has no partner. `subject`: the bracket. */
  | 'bracket'
  /** It is another statement than a SELECT. `subject`: its first word. */
  | 'notSelect'
  | 'severalStatements'
  /** The text is no JSON. `subject`: the parser's name of the mistake. */
  | 'notJson'
  | 'notPipeline'
  /** A stage is an object with one field. */
  | 'notStage'
  | 'unknownStage'
  /** `subject`: an operator of expressions or conditions. */
  | 'unknownOperator'
  /** `subject`: a table that is none. */
  | 'unknownTable'
  | 'unknownColumn'
  /** `subject`: a keyword of DuckDB that is an alias only after AS. */
  | 'aliasNeedsAs'
  /** No reading that was looked at has the path `subject`. */
  | 'unknownField'
  | 'noLimit'
  | 'noLowerTimeBound'
  /** The database cannot group by itself because of `subject`: an operator, expression or earlier stage. */
  | 'groupNotPushedDown';

/** How a finding can be mended. */
export type FixKind =
  /** `subject`: how many rows. */
  | 'addLimit'
  | 'addTimeBound'
  /** `subject`: what stands there instead. */
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

export interface Finding extends TextSpan {
  readonly severity: Severity;
  readonly rule: FindingRule;
  readonly subject: string;
  readonly fixes: readonly Fix[];
}
