import type { PartId } from '../model/ids';
import { type LevelKind, levelKinds, type LogEntry } from '../model/logEntry';
import { stripAnsi, stripAnsiFromJson } from '../../base/ansiText';
import { MICROS_PER_MILLISECOND } from '../model/timestamp';

/** Line that a part logged. */
export interface LogLine extends LogEntry {
  readonly kind: 'line';
  /** Identifies the line while it is in memory. Later lines have higher keys. */
  readonly key: number;
  readonly part: PartId;
  /**
   * Receipt time in microseconds since 1970. Exact for a line that arrived live. For a line that
   * was read before the time in its timestamp, this is the time of the read, which is the latest
   * possible receipt time. Undefined for all other lines.
   */
  readonly receivedMicros?: number | undefined;
}

/**
 * Reason that lines are missing: the connection was lost (`break`), the service couldn't deliver
 * them fast enough (`missed`), or they are between the target of a jump and the loaded lines, and
 * the user hasn't requested them yet (`notLoaded`).
 */
export type GapReason = 'break' | 'missed' | 'notLoaded';

/** Time range in which lines are or were missing. */
export interface LogGap {
  readonly kind: 'gap';
  readonly key: number;
  readonly reason: GapReason;
  readonly parts: readonly PartId[];
  /**
   * Start of the time range in which lines might be missing, in microseconds since 1970. Determines
   * the position of the gap.
   */
  readonly micros: number;
  /** End of the time range; undefined while the connection is lost. */
  readonly endMicros: number | undefined;
  /**
   * State of the gap. `loading`: lines are being loaded, or will be when the connection is
   * restored. `filled`: all lines are loaded. `open`: more lines can be loaded. `failed`: like
   * `open`, after a failed attempt.
   */
  readonly state: 'loading' | 'filled' | 'open' | 'failed';
  /** Number of lines that were loaded into the gap. */
  readonly loaded: number;
}

/** Item in a log: a line or a gap. */
export type LogItem = LogLine | LogGap;

/** Counts the lines in a list of items. */
export function countLines(items: readonly LogItem[]): number {
  return items.reduce((count, { kind }) => (kind === 'line' ? count + 1 : count), 0);
}

/** Order of a log: by the machines' timestamps or by receipt time. */
export type LogOrder = 'time' | 'receipt';

/** Fields of an item that determine its position in a log. */
export interface ItemPosition extends Pick<LogItem, 'micros' | 'key'> {
  readonly receivedMicros?: number | undefined;
}

/**
 * Returns the time that determines an item's position. An item without a time of receipt is sorted
 * by its timestamp.
 */
function getOrderTime({ micros, receivedMicros }: ItemPosition, order: LogOrder): number {
  return order === 'time' ? micros : (receivedMicros ?? micros);
}

/** Compares items by time, then by order of arrival. */
export function compareItems(a: ItemPosition, b: ItemPosition, order: LogOrder = 'time'): number {
  return getOrderTime(a, order) - getOrderTime(b, order) || a.key - b.key;
}

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
 * Reason that a filter can't be used: its text isn't a valid regular expression, or matching it
 * takes too long.
 */
export type FilterProblem =
  | { readonly kind: 'invalid'; readonly reason: string }
  | { readonly kind: 'tooSlow' };

/**
 * Returns, for each string, true if it matches a regular expression. Aborts if matching takes too
 * long, because even a short expression can take practically forever.
 * @throws PatternTooSlowError
 */
export type MatchPattern = (pattern: RegExp, texts: readonly string[]) => readonly boolean[];

export class PatternTooSlowError extends Error {
  override readonly name = 'PatternTooSlowError';
}

/** Returns the filter problem that caused an error; undefined for other errors. */
export function toFilterProblem(error: unknown): FilterProblem | undefined {
  if (error instanceof PatternTooSlowError) return { kind: 'tooSlow' };
  return error instanceof SyntaxError ? { kind: 'invalid', reason: error.message } : undefined;
}

/** Returns the items that pass a filter. @throws PatternTooSlowError */
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
 * Returns the regular expression for a filter's text.
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
 * Returns the items that match. Searches the messages first, and then the other fields of items
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

/**
 * Maximum difference in milliseconds between a line's timestamp and its receipt time that doesn't
 * count as clock skew.
 */
export const MAX_CLOCK_SKEW_MS = 60_000;

/**
 * Returns the difference in milliseconds between a line's timestamp and its receipt time; negative
 * if the timestamp is earlier. Returns undefined for differences within `MAX_CLOCK_SKEW_MS`, and if
 * the receipt time is unknown.
 */
export function getClockSkew({
  micros,
  receivedMicros,
}: Pick<LogLine, 'micros' | 'receivedMicros'>): number | undefined {
  if (receivedMicros === undefined) return undefined;
  const skew = Math.trunc((micros - receivedMicros) / MICROS_PER_MILLISECOND);
  return Math.abs(skew) > MAX_CLOCK_SKEW_MS ? skew : undefined;
}
