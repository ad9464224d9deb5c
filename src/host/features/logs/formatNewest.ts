import { countLines, type LogItem } from '../../../core/logs/logItem';
import { type LineLabels, formatItemForCopy } from './lineText';

/** Last lines of a log as text, within limits. */
export interface LogTail {
  readonly text: string;
  /** Number of included lines, and the total. */
  readonly lines: number;
  readonly of: number;
}

export interface TextLimits {
  readonly lines: number;
  /** Length in UTF-16 units. */
  readonly characters: number;
}

/** Returns the newest lines within limits, oldest first. */
export function formatNewest(
  items: readonly LogItem[],
  labels: LineLabels,
  limits: TextLimits,
): LogTail {
  const texts: string[] = [];
  let [lines, room] = [0, limits.characters];
  for (let index = items.length - 1; index >= 0 && lines < limits.lines; index -= 1) {
    const item = items[index];
    const piece = item ? formatItemForCopy(item, labels) : '';
    room -= piece.length;
    if (room < 0) break;
    texts.push(piece);
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
