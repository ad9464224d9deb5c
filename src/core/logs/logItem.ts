import type { PartId } from '../model/ids';
import type { LogEntry } from '../model/logEntry';

/** Line that a part logged. */
export interface LogLine extends LogEntry {
  readonly kind: 'line';
  /** Identifies the line while it is in memory; later ones have higher keys. */
  readonly key: number;
  readonly part: PartId;
  /**
   * Time of receipt in microseconds since 1970: exact for a line that arrived live, the latest
   * possible time for one that was read and is dated later, and undefined for others.
   */
  readonly receivedMicros?: number | undefined;
}

/**
 * Reason why lines are missing: the connection was lost (`break`), the service couldn't deliver
 * them fast enough (`missed`), or no one has requested them yet, because they are between the jump
 * target and the loaded lines (`notLoaded`).
 */
export type GapReason = 'break' | 'missed' | 'notLoaded';

/** Time range in which lines are or were missing. */
export interface LogGap {
  readonly kind: 'gap';
  readonly key: number;
  readonly reason: GapReason;
  readonly parts: readonly PartId[];
  /** Time since which lines can be missing, in microseconds since 1970; the position of the gap. */
  readonly micros: number;
  /** End of the range; undefined while the connection is lost. */
  readonly endMicros: number | undefined;
  /**
   * `loading`: lines are being loaded, or will be when the connection is back. `filled`: all are
   * loaded. `open`: more can be loaded. `failed`: like `open`, after a failed attempt.
   */
  readonly state: 'loading' | 'filled' | 'open' | 'failed';
  /** Number of lines that were loaded into it. */
  readonly loaded: number;
}

/** Item of a log. */
export type LogItem = LogLine | LogGap;

/** Returns the number of lines among some items. */
export function countLines(items: readonly LogItem[]): number {
  return items.reduce((count, { kind }) => (kind === 'line' ? count + 1 : count), 0);
}

/** Order of a log: by the times that machines wrote, or by the times of receipt. */
export type LogOrder = 'time' | 'receipt';

/** Fields of an item that determine its position in a log. */
export interface ItemPosition extends Pick<LogItem, 'micros' | 'key'> {
  readonly receivedMicros?: number | undefined;
}

/**
 * Returns the time by which an item is ordered. An item without a time of receipt is ordered by its
 * written time.
 */
export function getOrderTime({ micros, receivedMicros }: ItemPosition, order: LogOrder): number {
  return order === 'time' ? micros : (receivedMicros ?? micros);
}

/** Compares items by time, then by order of arrival. */
export function compareItems(a: ItemPosition, b: ItemPosition, order: LogOrder = 'time'): number {
  return getOrderTime(a, order) - getOrderTime(b, order) || a.key - b.key;
}
