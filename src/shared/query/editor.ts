import { isBoolean, isListOf, isNumber, isOneOf, isOptional, isShape, isString } from '../guards';
import { request } from '../protocol';

export const queryLanguages = ['sql', 'mql'] as const;
export type QueryLanguage = (typeof queryLanguages)[number];
export const isQueryLanguage = isOneOf(...queryLanguages);

/** A text in the query editor. All offsets in the text count UTF-16 code units. */
export interface QueryText {
  readonly language: QueryLanguage;
  readonly text: string;
}

const queryText = { language: isQueryLanguage, text: isString } as const;
export const isQueryText = isShape<QueryText>(queryText);

const completionKinds = [
  ...(['keyword', 'function', 'table', 'column', 'field'] as const),
  ...(['stage', 'operator', 'value', 'parameter'] as const),
] as const;
export type CompletionKind = (typeof completionKinds)[number];

export interface QueryCompletion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** Short detail that is shown next to the label, such as a type. */
  readonly detail?: string | undefined;
  /** Description in a sentence or two. */
  readonly info?: string | undefined;
  /**
   * Text that replaces the typed text; if absent, the label. If `isSnippet` is true, `${1:name}`
   * and `$0` are placeholders, and `\$` is a dollar sign.
   */
  readonly insert?: string | undefined;
  readonly isSnippet?: boolean | undefined;
}

export interface QueryCompletions {
  /** Start offset of the typed text. */
  readonly from: number;
  /**
   * End offset of the replaced text, for example after a closing quotation mark; if absent, the
   * requested offset.
   */
  readonly to?: number | undefined;
  readonly options: readonly QueryCompletion[];
}

const isCompletion = isShape<QueryCompletion>({
  label: isString,
  kind: isOneOf(...completionKinds),
  detail: isOptional(isString),
  info: isOptional(isString),
  insert: isOptional(isString),
  isSnippet: isOptional(isBoolean),
});

const problemSeverities = ['error', 'warning', 'information'] as const;

/** Replacement of a range with new text. */
export interface QueryEdit {
  readonly start: number;
  readonly end: number;
  readonly insert: string;
}

export interface QueryFix {
  readonly title: string;
  readonly edits: readonly QueryEdit[];
}

/** An error or warning in query text that wasn't run. */
export interface QueryFinding {
  readonly start: number;
  readonly end: number;
  readonly severity: (typeof problemSeverities)[number];
  /** Name of the rule, such as `noLimit`. */
  readonly rule: string;
  readonly message: string;
  readonly fixes: readonly QueryFix[];
}

const isEdit = isShape<QueryEdit>({ start: isNumber, end: isNumber, insert: isString });
const isFix = isShape<QueryFix>({ title: isString, edits: isListOf(isEdit) });
const isFinding = isShape<QueryFinding>({
  start: isNumber,
  end: isNumber,
  severity: isOneOf(...problemSeverities),
  rule: isString,
  message: isString,
  fixes: isListOf(isFix),
});

/** Information about a range of the query text. */
export interface QueryHover {
  readonly start: number;
  readonly end: number;
  /** Name of the element with its type, or with the parameters if it is a function. */
  readonly code: string;
  readonly text?: string | undefined;
}

const isHover = isShape<QueryHover>({
  start: isNumber,
  end: isNumber,
  code: isString,
  text: isOptional(isString),
});

/** A text to check, as it would be run. */
export interface CheckedQuery extends QueryText {
  /** True if a pipeline reads only recent data. */
  readonly recent: boolean;
}

const isCheckedQuery = isShape<CheckedQuery>({ ...queryText, recent: isBoolean });

/** Requests from the editor about the query language. */
export const editorMessages = {
  completeQuery: request(
    isShape<QueryText & { offset: number; explicit: boolean }>({
      ...queryText,
      offset: isNumber,
      explicit: isBoolean,
    }),
    isShape<QueryCompletions>({
      from: isNumber,
      to: isOptional(isNumber),
      options: isListOf(isCompletion),
    }),
  ),
  /** Returns information about the element at an offset; absent if there is none. */
  hoverQuery: request(
    isShape<QueryText & { offset: number }>({ ...queryText, offset: isNumber }),
    isShape<{ hover?: QueryHover | undefined }>({ hover: isOptional(isHover) }),
  ),
  /** Returns warnings, and the names of the parameters in order of appearance. */
  checkQuery: request(
    isCheckedQuery,
    isShape<{ findings: readonly QueryFinding[]; parameters: readonly string[] }>({
      findings: isListOf(isFinding),
      parameters: isListOf(isString),
    }),
  ),
} as const;
