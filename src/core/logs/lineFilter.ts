import type { PartId } from '../model/ids';
import { type LevelKind, levelKinds } from '../model/logEntry';
import { stripAnsi, stripAnsiFromJson } from '../../base/ansiText';
import type { LogItem, LogLine } from './logItem';

/** Filter for displayed lines. */
export interface LineFilter {
  readonly levels: ReadonlySet<LevelKind>;
  /** Parts to show; undefined for all. */
  readonly parts?: ReadonlySet<PartId> | undefined;
  /** Text to find in the message, the logger, or the fields; empty for any. */
  readonly text: string;
  /** True if the text is a regular expression. */
  readonly isPattern: boolean;
  readonly matchCase: boolean;
}

/** Filter that every line passes. */
export const EVERY_LINE: LineFilter = {
  levels: new Set(levelKinds),
  text: '',
  isPattern: false,
  matchCase: false,
};

/** Reason why a filter can't be used: it isn't a valid regular expression, or it takes too long. */
export type FilterProblem =
  | { readonly kind: 'invalid'; readonly reason: string }
  | { readonly kind: 'tooSlow' };

/**
 * Returns which texts match a regular expression. Aborts one that takes too long, because a short
 * expression can take practically forever.
 * @throws PatternTooSlow
 */
export type MatchPattern = (pattern: RegExp, texts: readonly string[]) => readonly boolean[];

export class PatternTooSlow extends Error {
  override readonly name = 'PatternTooSlow';
}

/** Returns the problem with a filter, if it is the cause of the error. */
export function toFilterProblem(error: unknown): FilterProblem | undefined {
  if (error instanceof PatternTooSlow) return { kind: 'tooSlow' };
  return error instanceof SyntaxError ? { kind: 'invalid', reason: error.message } : undefined;
}

/** Returns the items that pass the filter. @throws PatternTooSlow */
export type PassingItems = (items: readonly LogItem[]) => readonly LogItem[];

/**
 * Returns the function that applies a filter to items. Gaps pass if they are of a part that is
 * shown, regardless of the text.
 * @throws SyntaxError if the text isn't a valid regular expression.
 */
export function passingItems(filter: LineFilter, matchPattern: MatchPattern): PassingItems {
  const says = textRule(filter, matchPattern);
  const isShown = (part: PartId): boolean => !filter.parts || filter.parts.has(part);
  return (items) => {
    const candidates = items.filter((item) =>
      item.kind === 'gap'
        ? item.parts.some(isShown)
        : isShown(item.part) && filter.levels.has(item.level),
    );
    return says ? says(candidates) : candidates;
  };
}

/**
 * Returns the regular expression for the text of a filter.
 * @throws SyntaxError if it isn't valid.
 */
export function createPattern({
  text,
  isPattern,
  matchCase,
}: Pick<LineFilter, 'text' | 'isPattern' | 'matchCase'>): RegExp {
  const source = isPattern ? text : text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(source, matchCase ? 'u' : 'iu');
}

function textRule(filter: LineFilter, matchPattern: MatchPattern): PassingItems | undefined {
  if (filter.text === '') return undefined;
  const pattern = createPattern(filter);
  // Plain text can't take too long, and an expression is faster than a case-insensitive search.
  const find: typeof matchPattern = filter.isPattern
    ? matchPattern
    : (_, texts) => texts.map((text) => pattern.test(text));
  return (items) => matching(items, (texts) => find(pattern, texts));
}

/** Matches the messages first, and then the other fields of those that don't match. */
function matching(
  items: readonly LogItem[],
  find: (texts: readonly string[]) => readonly boolean[],
): readonly LogItem[] {
  const passes = new Set<LogItem>();
  let rest = items.filter((item) => item.kind === 'line');
  for (const textOf of [getMessage, getLogger, getFields]) {
    const found = find(rest.map(textOf));
    rest = rest.filter((line, index) => {
      if (found[index]) passes.add(line);
      return !found[index];
    });
  }
  return items.filter((item) => item.kind === 'gap' || passes.has(item));
}

// Searches the same text that the panel shows.
const getMessage = ({ message }: LogLine): string => stripAnsi(message);
const getLogger = ({ logger }: LogLine): string => stripAnsi(logger);
const getFields = ({ fields }: LogLine): string => stripAnsiFromJson(fields);
