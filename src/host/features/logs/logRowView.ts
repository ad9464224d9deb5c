import { createContext, runInContext } from 'node:vm';
import { getErrorCode } from '../../../base/errorCode';
import { type AnsiText, parseAnsi, stripAnsi } from '../../../base/ansiText';
import {
  createPattern,
  getClockSkew,
  type LineFilter,
  type LogGap,
  type LogItem,
  type LogLine,
} from '../../../core/logs/logItem';
import { toDisplayText } from '../../../core/model/displayText';
import { toMilliseconds } from '../../../core/model/timestamp';
import type { LogRow } from '../../../shared/logs';

/**
 * Maximum number of characters from a message to show in a row. The row's details contain the full
 * text.
 */
const MAX_TEXT_LENGTH = 2_000;
/** Maximum length of an unknown level. Logger names are truncated like other names. */
const MAX_LEVEL_LENGTH = 40;
/** Control characters, line breaks, and bidirectional marks. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu;

const NOTHING: AnsiText = { text: '', styles: [] };

/** Converts items to panel rows, including the filter matches in each row. */
export function logRows(
  items: readonly LogItem[],
  findMatches: FindMatches,
  gapText: (gap: LogGap) => string,
): LogRow[] {
  const starts = items.map((item) => truncateMessage(item.kind === 'line' ? item.message : ''));
  const matches = findMatches(starts.map(({ text }) => text));
  return items.map((item, index) =>
    item.kind === 'line'
      ? lineRow(item, starts[index] ?? NOTHING, matches[index] ?? [])
      : gapRow(item, gapText(item)),
  );
}

function lineRow(line: LogLine, start: AnsiText, found: MatchRanges): LogRow {
  const { key, part, micros, level } = line;
  const at = toMilliseconds(micros);
  // Machines can also write arbitrary text as the level.
  const levelText = toDisplayText(stripAnsi(line.levelText), MAX_LEVEL_LENGTH);
  const logger = toDisplayText(stripAnsi(line.logger));
  const { text, styles } = start;
  const skew = getClockSkew(line);
  return {
    kind: 'line',
    key,
    part,
    at,
    level,
    levelText,
    logger,
    text: oneLine(text),
    found,
    ...(styles.length > 0 && { styles }),
    ...(line.receivedMicros !== undefined && { receivedAt: toMilliseconds(line.receivedMicros) }),
    ...(skew !== undefined && { skew }),
  };
}

function gapRow({ key, micros, state, endMicros }: LogGap, text: string): LogRow {
  return {
    kind: 'gap',
    key,
    at: toMilliseconds(micros),
    text,
    canLoad: state === 'open' || state === 'failed',
    loading: state === 'loading' && endMicros !== undefined,
  };
}

function truncateMessage(message: string): AnsiText {
  const whole = parseAnsi(message);
  // A split surrogate pair would be displayed as a different character.
  const text = whole.text
    .trimEnd()
    .slice(0, MAX_TEXT_LENGTH)
    .replace(/[\ud800-\udbff]$/, '');
  const styles = whole.styles
    .filter(({ start }) => start < text.length)
    .map((span) => ({ ...span, end: Math.min(span.end, text.length) }));
  return { text, styles };
}

/** Replaces control characters one to one, so that positions in the text stay valid. */
function oneLine(text: string): string {
  return text.replace(UNSEEN, (sign) => (/\s/.test(sign) ? (sign === '\n' ? '⏎' : ' ') : '\ufffd'));
}

/** Start and end of each filter match in a string. */
type MatchRanges = readonly (readonly [start: number, end: number])[];

/** Finds filter matches in strings. */
export type FindMatches = (texts: readonly string[]) => readonly MatchRanges[];

/** Maximum number of highlighted matches in one row. */
const MAX_MATCHES = 100;

/**
 * Returns a function that finds matches for a filter's text. If the text isn't a valid expression,
 * the function finds no matches. After its first timeout, the function no longer searches, so it
 * never causes another delay.
 */
export function createMatchFinder(
  filter: Pick<LineFilter, 'text' | 'isPattern' | 'matchCase'>,
  runWithin: RunWithin,
): FindMatches {
  const pattern = markedPattern(filter);
  let isUsable = pattern !== undefined;
  return (texts) => {
    const done =
      pattern && isUsable
        ? runWithin(() => texts.map((text) => findRanges(text, pattern)))
        : undefined;
    isUsable = done !== undefined;
    return done?.result ?? texts.map(() => []);
  };
}

function findRanges(text: string, pattern: RegExp): MatchRanges {
  const ranges: [number, number][] = [];
  for (const { index, 0: found } of text.matchAll(pattern)) {
    if (found !== '') ranges.push([index, index + found.length]);
    if (ranges.length === MAX_MATCHES) break;
  }
  return ranges;
}

function markedPattern(filter: Parameters<typeof createMatchFinder>[0]): RegExp | undefined {
  if (filter.text === '') return undefined;
  try {
    const { source, flags } = createPattern(filter);
    return new RegExp(source, `${flags}g`);
  } catch {
    return undefined;
  }
}

const TIMED_OUT = 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/**
 * Runs a function and interrupts it, at any point, when the time limit expires. Returns undefined
 * if the function was interrupted.
 */
export type RunWithin = <T>(job: () => T) => { readonly result: T } | undefined;

/**
 * Returns a function that runs trusted functions with a time limit. V8 can interrupt a script that
 * runs in `node:vm`, and everything that the script calls, even in the middle of a regular
 * expression.
 */
export function runnerWithin(milliseconds: number): RunWithin {
  const context: { job: () => unknown } = { job: () => undefined };
  createContext(context);
  return <T>(job: () => T) => {
    let done: { readonly result: T } | undefined;
    context.job = () => {
      done = { result: job() };
    };
    try {
      runInContext('job()', context, { timeout: milliseconds });
    } catch (error) {
      if (getErrorCode(error) !== TIMED_OUT) throw error;
    } finally {
      context.job = () => undefined;
    }
    return done;
  };
}
