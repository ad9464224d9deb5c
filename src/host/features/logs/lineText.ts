import { stripAnsi, stripAnsiFromJson } from '../../../base/ansiText';
import { countLines, type LogGap, type LogItem, type LogLine } from '../../../core/logs/logItem';
import { isoMicros } from '../../../core/model/timestamp';
import type { PartTarget } from '../../../core/model/resourceTarget';

const MAX_LEVEL_LENGTH = 5;
const INDENT = '    ';

/** Data for formatting lines: part labels and descriptions of gaps. */
export interface LineLabels {
  part(line: LogLine): PartTarget | undefined;
  label(line: LogLine): string;
  gap(gap: LogGap): string;
}

/**
 * Formats an item for an exported file, including its line break. Returns an empty string for
 * omitted items.
 */
export type FormatItem = (item: LogItem, labels: LineLabels) => string;

/**
 * Formats an item as a human-readable log line: `time LEVEL [part] logger: message {fields}`.
 * Further lines in a message and a stack trace are indented, and a gap starts with `#`. Terminal
 * escape sequences are exported in the form `\u001b[31m`.
 */
export const formatPlainItem: FormatItem = (item, labels) => {
  if (item.kind === 'gap') return `# ${isoMicros(item.micros)} ${labels.gap(item)}\n`;
  const { micros, levelText, logger, message, fields, stack } = item;
  const head = [
    isoMicros(micros),
    levelText.toUpperCase().padEnd(MAX_LEVEL_LENGTH),
    `[${labels.label(item)}]`,
    ...(logger === '' ? [] : [`${logger}:`]),
    message.trimEnd(),
    ...(fields === '' ? [] : [fields]),
  ].join(' ');
  const whole = stack.trim() === '' ? head : `${head}\n${stack.trimEnd()}`;
  return `${visible(whole.replaceAll(/\r\n|[\r\n]/g, `\n${INDENT}`))}\n`;
};

/**
 * Formats a line for copying, like {@link formatPlainItem} but without escape sequences, which the
 * panel doesn't display either.
 */
export const formatItemForCopy: FormatItem = (item, labels) => {
  if (item.kind === 'gap') return formatPlainItem(item, labels);
  const { levelText, logger, message, fields, stack } = item;
  return formatPlainItem(
    {
      ...item,
      levelText: stripAnsi(levelText),
      logger: stripAnsi(logger),
      message: stripAnsi(message),
      stack: stripAnsi(stack),
      fields: stripAnsiFromJson(fields),
    },
    labels,
  );
};

/**
 * Escapes control characters. Machines can write escape sequences, which a terminal would interpret
 * as commands.
 */
function visible(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\u2028\u2029](?<![\t\n])/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Formats a line as a JSON object with its original text. Omits gaps; leaves fields and caller as
 * JSON.
 */
export const formatNdjsonItem: FormatItem = (item, labels) => {
  if (item.kind === 'gap') return '';
  const part = labels.part(item);
  const plain = JSON.stringify({
    time: isoMicros(item.micros),
    partId: item.part,
    part: part?.name,
    machine: part?.machineName,
    level: item.levelText,
    logger: item.logger,
    message: item.message,
  });
  const rest = [
    ...(item.fields === '' ? [] : [`"fields":${item.fields}`]),
    ...(item.caller === '' ? [] : [`"caller":${item.caller}`]),
    ...(item.stack === '' ? [] : [`"stack":${JSON.stringify(item.stack)}`]),
    ...(item.host === '' ? [] : [`"host":${JSON.stringify(item.host)}`]),
  ];
  return `${[plain.slice(0, -1), ...rest].join(',')}}\n`;
};

/** A log's newest lines as text, within limits. */
export interface ExportedTail {
  readonly text: string;
  /** Number of included lines, and the total number. */
  readonly lines: number;
  readonly of: number;
}

export interface TextLimits {
  readonly lines: number;
  /** Length in UTF-16 code units. */
  readonly characters: number;
}

/** Returns the newest lines within limits, oldest first. */
export function formatNewest(
  items: readonly LogItem[],
  labels: LineLabels,
  limits: TextLimits,
): ExportedTail {
  const texts: string[] = [];
  let [lines, room] = [0, limits.characters];
  for (let index = items.length - 1; index >= 0 && lines < limits.lines; index -= 1) {
    const item = items[index];
    const itemText = item ? formatItemForCopy(item, labels) : '';
    room -= itemText.length;
    if (room < 0) break;
    texts.push(itemText);
    if (item?.kind === 'line') lines += 1;
  }
  return { text: texts.reverse().join(''), lines, of: countLines(items) };
}

/** Returns the items between two keys, in either order; empty if either item was removed. */
export function itemsBetween(
  items: readonly LogItem[],
  from: number,
  to: number,
): readonly LogItem[] {
  const indexes = [from, to].map((key) => items.findIndex((item) => item.key === key));
  const [start, end] = [Math.min(...indexes), Math.max(...indexes)];
  return start < 0 ? [] : items.slice(start, end + 1);
}
