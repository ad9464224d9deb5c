import type { PartId } from '../model/ids';
import { type LevelKind, levelKinds } from '../model/logEntry';
import { stripAnsi, stripAnsiOfJson } from '../../base/ansiText';
import type { LogItem, LogLine } from './logItem';

/** Which lines are shown. */
export interface LineFilter {
  readonly levels: ReadonlySet<LevelKind>;
  /** Undefined for all parts. */
  readonly parts?: ReadonlySet<PartId> | undefined;
  /** What the message, the logger or the fields say; empty for anything. */
  readonly text: string;
  /** The text is a regular expression. */
  readonly isPattern: boolean;
  readonly matchCase: boolean;
}

/** The filter that every line passes. */
export const EVERY_LINE: LineFilter = {
  levels: new Set(levelKinds),
  text: '',
  isPattern: false,
  matchCase: false,
};

/** Why a filter cannot be used: it is no regular expression, or one that takes too long. */
export type FilterProblem =
  | { readonly kind: 'invalid'; readonly reason: string }
  | { readonly kind: 'tooSlow' };

/**
 * Tells which texts a regular expression finds. One that takes too long is given up, since a few letters can
 * make an expression that never ends.
 * @throws PatternTooSlow
 */
export type MatchPattern = (pattern: RegExp, texts: readonly string[]) => readonly boolean[];

export class PatternTooSlow extends Error {
  override readonly name = 'PatternTooSlow';
}

/** What is wrong with a filter, when that is why it failed. */
export function filterProblemOf(error: unknown): FilterProblem | undefined {
  if (error instanceof PatternTooSlow) return { kind: 'tooSlow' };
  return error instanceof SyntaxError ? { kind: 'invalid', reason: error.message } : undefined;
}

/** Tells what of some items passes. @throws PatternTooSlow */
export type PassingItems = (items: readonly LogItem[]) => readonly LogItem[];

/**
 * What a filter does to items. Gaps pass when they are of a part that is shown, whatever the text is.
 * @throws SyntaxError when the text is no regular expression.
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
 * What finds the text of a filter, or what its expression stands for.
 * @throws SyntaxError when it is no regular expression.
 */
export function patternOf({
  text,
  isPattern,
  matchCase,
}: Pick<LineFilter, 'text' | 'isPattern' | 'matchCase'>): RegExp {
  const source = isPattern ? text : text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(source, matchCase ? 'u' : 'iu');
}

function textRule(filter: LineFilter, matchPattern: MatchPattern): PassingItems | undefined {
  if (filter.text === '') return undefined;
  const pattern = patternOf(filter);
  // Plain text cannot take too long, and an expression finds it faster than a search that ignores case.
  const find: typeof matchPattern = filter.isPattern
    ? matchPattern
    : (_, texts) => texts.map((text) => pattern.test(text));
  return (items) => matching(items, (texts) => find(pattern, texts));
}

/** Looks at the messages first, and at the rest of those that say nothing of it. */
function matching(
  items: readonly LogItem[],
  find: (texts: readonly string[]) => readonly boolean[],
): readonly LogItem[] {
  const passes = new Set<LogItem>();
  let rest = items.filter((item) => item.kind === 'line');
  for (const textOf of [messageOf, loggerOf, fieldsOf]) {
    const found = find(rest.map(textOf));
    rest = rest.filter((line, index) => {
      if (found[index]) passes.add(line);
      return !found[index];
    });
  }
  return items.filter((item) => item.kind === 'gap' || passes.has(item));
}

// Search sees the text that the panel shows.
const messageOf = ({ message }: LogLine): string => stripAnsi(message);
const loggerOf = ({ logger }: LogLine): string => stripAnsi(logger);
const fieldsOf = ({ fields }: LogLine): string => stripAnsiOfJson(fields);
