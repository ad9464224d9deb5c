import { type AnsiText, parseAnsi, stripAnsi } from '../../../base/ansiText';
import { getClockSkew } from '../../../core/logs/clockSkew';
import type { LogGap, LogItem, LogLine } from '../../../core/logs/logItem';
import { toDisplayText } from '../../../core/model/toDisplayText';
import { toMilliseconds } from '../../../core/model/micros';
import type { LogRow } from '../../../shared/logs';
import type { FindMatches, MatchRanges } from './foundPlaces';

/** Maximum number of characters of a message in a row. The row's details contain the full text. */
const MAX_TEXT_LENGTH = 2_000;
/** Maximum length of an unknown level. Logger names are truncated like other names. */
const MAX_LEVEL_LENGTH = 40;
/** Control characters, line breaks, and bidirectional marks. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu;

const NOTHING: AnsiText = { text: '', styles: [] };

/** Converts items to rows of the panel, with the matches of the filter. */
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
    ...{ kind: 'line', key, part, at, level, levelText, logger, text: oneLine(text), found },
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

/** Replaces characters one to one so that positions in the text stay valid. */
function oneLine(text: string): string {
  return text.replace(UNSEEN, (sign) => (/\s/.test(sign) ? (sign === '\n' ? '⏎' : ' ') : '\ufffd'));
}
