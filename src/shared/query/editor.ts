import {
  type Guarded,
  isBoolean,
  isListOf,
  isNumber,
  isOneOf,
  isOptional,
  isShape,
  isString,
} from '../guards';
import { request } from '../protocol';

export const queryLanguages = ['sql', 'mql'] as const;
export type QueryLanguage = (typeof queryLanguages)[number];
export const isQueryLanguage = isOneOf(...queryLanguages);

const queryText = { language: isQueryLanguage, text: isString } as const;
export const isQueryText = isShape(queryText);
/** Text in the query editor. All offsets are in UTF-16 code units. */
export type QueryText = Guarded<typeof isQueryText>;

const completionKinds = [
  ...(['keyword', 'function', 'table', 'column', 'field'] as const),
  ...(['stage', 'operator', 'value', 'parameter'] as const),
] as const;
export type CompletionKind = (typeof completionKinds)[number];

const isCompletion = isShape({
  label: isString,
  kind: isOneOf(...completionKinds),
  /** Short detail that is shown next to the label, such as a type. */
  detail: isOptional(isString),
  /** Description in a sentence or two. */
  info: isOptional(isString),
  /**
   * Text that replaces the typed text; if absent, the label. If `isSnippet` is true, `${1:name}`
   * and `$0` are placeholders, and `\$` is a dollar sign.
   */
  insert: isOptional(isString),
  isSnippet: isOptional(isBoolean),
});
export type QueryCompletion = Guarded<typeof isCompletion>;

const problemSeverities = ['error', 'warning', 'information'] as const;

const isEdit = isShape({
  start: isNumber,
  end: isNumber,
  insert: isString,
});
/** Replacement of a range with new text. */
export type QueryEdit = Guarded<typeof isEdit>;

const isFix = isShape({
  title: isString,
  edits: isListOf(isEdit),
});

const isDiagnostic = isShape({
  start: isNumber,
  end: isNumber,
  severity: isOneOf(...problemSeverities),
  /** Name of the rule, such as `noLimit`. */
  rule: isString,
  message: isString,
  fixes: isListOf(isFix),
});
/** An error or warning in a query, found without running the query. */
export type QueryDiagnostic = Guarded<typeof isDiagnostic>;

const isHover = isShape({
  start: isNumber,
  end: isNumber,
  /** Name of the element with its type, or with the parameters if it is a function. */
  code: isString,
  text: isOptional(isString),
});
/** Information about a range in the query text. */
export type QueryHover = Guarded<typeof isHover>;

const isCheckedQuery = isShape({
  ...queryText,
  /** True if a pipeline reads only recent data. */
  recent: isBoolean,
});
/** Query text to check, exactly as it would be run. */
export type CheckedQuery = Guarded<typeof isCheckedQuery>;

const isQueryCompletions = isShape({
  /** Start offset of the typed text. */
  from: isNumber,
  /**
   * End offset of the replaced text, for example after a closing quotation mark; if absent, the
   * requested offset.
   */
  to: isOptional(isNumber),
  options: isListOf(isCompletion),
});
export type QueryCompletions = Guarded<typeof isQueryCompletions>;

/** Requests from the editor about the query language. */
export const editorMessages = {
  completeQuery: request(
    isShape({
      ...queryText,
      offset: isNumber,
      explicit: isBoolean,
    }),
    isQueryCompletions,
  ),
  /** Returns information about the element at an offset; absent if there is none. */
  hoverQuery: request(
    isShape({ ...queryText, offset: isNumber }),
    isShape({ hover: isOptional(isHover) }),
  ),
  /** Returns warnings, and the names of the parameters in order of appearance. */
  checkQuery: request(
    isCheckedQuery,
    isShape({
      diagnostics: isListOf(isDiagnostic),
      parameters: isListOf(isString),
    }),
  ),
} as const;
