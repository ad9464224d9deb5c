import { isBoolean, isListOf, isNumber, isOneOf, isOptional, isShape, isString } from '../guards';
import { request } from '../protocol';

export const queryLanguages = ['sql', 'mql'] as const;
export type QueryLanguage = (typeof queryLanguages)[number];
export const isQueryLanguage = isOneOf(...queryLanguages);

/** A text in the editor. All places in it count UTF-16 code units. */
export interface QueryText {
  readonly language: QueryLanguage;
  readonly text: string;
}

const queryText = { language: isQueryLanguage, text: isString } as const;
export const isQueryText = isShape<QueryText>(queryText);

export const completionKinds = [
  ...(['keyword', 'function', 'table', 'column', 'field'] as const),
  ...(['stage', 'operator', 'value', 'parameter'] as const),
] as const;
export type CompletionKind = (typeof completionKinds)[number];

export interface QueryCompletion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** A few words beside the label, such as a type. */
  readonly detail?: string | undefined;
  /** A sentence or two on what it does. */
  readonly info?: string | undefined;
  /** What stands in the place of what was typed; absent: the label. `${1:name}` and `$0` mark places to fill in when `isSnippet`, and `\$` is a dollar. */
  readonly insert?: string | undefined;
  readonly isSnippet?: boolean | undefined;
}

export interface QueryCompletions {
  /** Where what was typed begins. */
  readonly from: number;
  /** Where what is replaced ends, such as after a closing quotation mark; absent: where it was asked. */
  readonly to?: number | undefined;
  readonly options: readonly QueryCompletion[];
}

const isCompletion = isShape<QueryCompletion>({
  ...{ label: isString, kind: isOneOf(...completionKinds), detail: isOptional(isString) },
  ...{ info: isOptional(isString), insert: isOptional(isString), isSnippet: isOptional(isBoolean) },
});

export const problemSeverities = ['error', 'warning', 'information'] as const;

/** Puts another text in the place of a stretch. */
export interface QueryEdit {
  readonly start: number;
  readonly end: number;
  readonly insert: string;
}

export interface QueryFix {
  readonly title: string;
  readonly edits: readonly QueryEdit[];
}

/** What is wrong or doubtful in a text that was not run. */
export interface QueryFinding {
  readonly start: number;
  readonly end: number;
  readonly severity: (typeof problemSeverities)[number];
  /** Names the rule, such as `noLimit`. */
  readonly rule: string;
  readonly message: string;
  readonly fixes: readonly QueryFix[];
}

const isEdit = isShape<QueryEdit>({ start: isNumber, end: isNumber, insert: isString });
const isFix = isShape<QueryFix>({ title: isString, edits: isListOf(isEdit) });
const isFinding = isShape<QueryFinding>({
  ...{ start: isNumber, end: isNumber, severity: isOneOf(...problemSeverities), rule: isString },
  ...{ message: isString, fixes: isListOf(isFix) },
});

/** What is said about a stretch of a text. */
export interface QueryHover {
  readonly start: number;
  readonly end: number;
  /** Its name with a type, or with what a function takes. */
  readonly code: string;
  readonly text?: string | undefined;
}

const isHover = isShape<QueryHover>({
  ...{ start: isNumber, end: isNumber, code: isString, text: isOptional(isString) },
});

/** A text as it would be run. */
export interface CheckedQuery extends QueryText {
  /** Whether a pipeline is asked of recent data alone. */
  readonly recent: boolean;
}

const isCheckedQuery = isShape<CheckedQuery>({ ...queryText, recent: isBoolean });

/** What the editor asks of the language. */
export const editorMessages = {
  completeQuery: request(
    isShape<QueryText & { offset: number; explicit: boolean }>({
      ...{ ...queryText, offset: isNumber, explicit: isBoolean },
    }),
    isShape<QueryCompletions>({
      ...{ from: isNumber, to: isOptional(isNumber), options: isListOf(isCompletion) },
    }),
  ),
  /** What stands at a place; absent where nothing is known of it. */
  hoverQuery: request(
    isShape<QueryText & { offset: number }>({ ...queryText, offset: isNumber }),
    isShape<{ hover?: QueryHover | undefined }>({ hover: isOptional(isHover) }),
  ),
  /** What is doubtful, and the names of its parameters in order of appearance. */
  checkQuery: request(
    isCheckedQuery,
    isShape<{ findings: readonly QueryFinding[]; parameters: readonly string[] }>({
      findings: isListOf(isFinding),
      parameters: isListOf(isString),
    }),
  ),
} as const;
