import { type AnsiText, parseAnsi, stripAnsi } from '../../../base/ansiText';
import { getClockSkew } from '../../../core/logs/clockSkew';
import type { LogGap, LogItem, LogLine } from '../../../core/logs/logItem';
import { displayText } from '../../../core/model/displayText';
import { millisecondsOf } from '../../../core/model/micros';
import type { LogRow } from '../../../shared/logs';
import type { FindPlaces, Places } from './foundPlaces';

/** Characters of a message that a row shows; its details have them all. */
const LONGEST_TEXT = 2_000;
/** The same for a level that nobody knows; the name of a logger is cut as names are. */
const LONGEST_LEVEL = 40;
/** Control characters, line ends, and the marks that turn the direction of text around. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu;

const NOTHING: AnsiText = { text: '', styles: [] };

/** Items as rows of the panel, with what the filter found in them. */
export function logRows(
  items: readonly LogItem[],
  findPlaces: FindPlaces,
  gapText: (gap: LogGap) => string,
): LogRow[] {
  const starts = items.map((item) => startOf(item.kind === 'line' ? item.message : ''));
  const places = findPlaces(starts.map(({ text }) => text));
  return items.map((item, index) =>
    item.kind === 'line'
      ? lineRow(item, starts[index] ?? NOTHING, places[index] ?? [])
      : gapRow(item, gapText(item)),
  );
}

function lineRow(line: LogLine, start: AnsiText, found: Places): LogRow {
  const { key, part, micros, level } = line;
  const at = millisecondsOf(micros);
  // Machines write what they like here as well.
  const levelText = displayText(stripAnsi(line.levelText), LONGEST_LEVEL);
  const logger = displayText(stripAnsi(line.logger));
  const { text, styles } = start;
  const skew = getClockSkew(line);
  return {
    ...{ kind: 'line', key, part, at, level, levelText, logger, text: oneLine(text), found },
    ...(styles.length > 0 && { styles }),
    ...(line.receivedMicros !== undefined && { receivedAt: millisecondsOf(line.receivedMicros) }),
    ...(skew !== undefined && { skew }),
  };
}

function gapRow({ key, micros, state, endMicros }: LogGap, text: string): LogRow {
  return {
    kind: 'gap',
    key,
    at: millisecondsOf(micros),
    text,
    canLoad: state === 'open' || state === 'failed',
    loading: state === 'loading' && endMicros !== undefined,
  };
}

function startOf(message: string): AnsiText {
  const whole = parseAnsi(message);
  // A pair of characters that is torn apart would be shown as something else.
  const text = whole.text
    .trimEnd()
    .slice(0, LONGEST_TEXT)
    .replace(/[\ud800-\udbff]$/, '');
  const styles = whole.styles
    .filter(({ start }) => start < text.length)
    .map((span) => ({ ...span, end: Math.min(span.end, text.length) }));
  return { text, styles };
}

/** Sign for sign, so that the places in the text stay what they are. */
function oneLine(text: string): string {
  return text.replace(UNSEEN, (sign) => (/\s/.test(sign) ? (sign === '\n' ? '⏎' : ' ') : '\ufffd'));
}
