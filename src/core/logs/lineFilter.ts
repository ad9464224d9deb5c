import type { PartId } from '../model/ids';
import { type LevelKind, levelKinds } from '../model/logEntry';
import { stripAnsi, stripAnsiFromJson } from '../../base/ansiText';
import type { LogItem, LogLine } from './logItem';

/** Filter for displayed lines. */
export interface LineFilter {
  readonly levels: ReadonlySet<LevelKind>;
  /** Parts to show; undefined for all parts. */
  readonly parts?: ReadonlySet<PartId> | undefined;
  /** Text to find in the message, the logger, or the fields; empty to match any line. */
  readonly text: string;
  /** True if the text is a regular expression. */
  readonly isPattern: boolean;
  readonly matchCase: boolean;
}

/** Filter that matches every line. */
export const EVERY_LINE: LineFilter = {
  levels: new Set(levelKinds),
  text: '',
  isPattern: false,
  matchCase: false,
};

/**
 * Reason why a filter can't be used: its text isn't a valid regular expression, or matching it
 * takes too long.
 */
export type FilterProblem =
  | { readonly kind: 'invalid'; readonly reason: string }
  | { readonly kind: 'tooSlow' };

/**
 * Determines for each text if it matches a regular expression. Aborts if matching takes too long,
 * because even a short expression can take practically forever.
 * @throws PatternTooSlow
 */
export type MatchPattern = (pattern: RegExp, texts: readonly string[]) => readonly boolean[];

export class PatternTooSlow extends Error {
  override readonly name = 'PatternTooSlow';
}

/** Returns the problem with a filter if the problem caused the error; otherwise undefined. */
export function toFilterProblem(error: unknown): FilterProblem | undefined {
  if (error instanceof PatternTooSlow) return { kind: 'tooSlow' };
  return error instanceof SyntaxError ? { kind: 'invalid', reason: error.message } : undefined;
}

/** Returns the items that pass a filter. @throws PatternTooSlow */
export type PassingItems = (items: readonly LogItem[]) => readonly LogItem[];

/**
 * Returns the function that applies a filter to items. Gaps pass if they belong to a part that is
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
 * @throws SyntaxError if the text isn't a valid regular expression.
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
  // Matching plain text can't take too long, and a regular expression is faster than a
  // case-insensitive search.
  const find: typeof matchPattern = filter.isPattern
    ? matchPattern
    : (_, texts) => texts.map((text) => pattern.test(text));
  return (items) => matching(items, (texts) => find(pattern, texts));
}

/**
 * Returns the items that match. Searches the messages first, and then the other fields of the items
 * that haven't matched.
 */
function matching(
  items: readonly LogItem[],
  find: (texts: readonly string[]) => readonly boolean[],
): readonly LogItem[] {
  const passes = new Set<LogItem>();
  let rest = items.filter((item) => item.kind === 'line');
  for (const getText of [getMessage, getLogger, getFields]) {
    const found = find(rest.map(getText));
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
