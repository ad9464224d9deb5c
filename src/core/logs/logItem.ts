import type { PartId } from '../model/ids';
import type { LogEntry } from '../model/logEntry';

/** One line that a part logged. */
export interface LogLine extends LogEntry {
  readonly kind: 'line';
  /** Names the line as long as it is in memory; later ones have higher keys. */
  readonly key: number;
  readonly part: PartId;
  /**
   * When the line was received, in microseconds since 1970: exact for a line that came live, the latest
   * possible time for one that was read and is dated later, and undefined for others.
   */
  readonly receivedMicros?: number | undefined;
}

/**
 * Why lines are not there: the connection was lost (`break`), the service could not hand them on as fast as
 * they came (`missed`), or nobody has asked for them yet, because they lie between what was jumped to
 * and what was there (`notLoaded`).
 */
export type GapReason = 'break' | 'missed' | 'notLoaded';

/** A stretch of time in which lines are missing, or were. */
export interface LogGap {
  readonly kind: 'gap';
  readonly key: number;
  readonly reason: GapReason;
  readonly parts: readonly PartId[];
  /** From when on lines may be missing, in microseconds since 1970; where the gap stands. */
  readonly micros: number;
  /** Until when; undefined while the connection is still lost. */
  readonly endMicros: number | undefined;
  /**
   * `loading`: lines are being loaded, or will be once the connection is back. `filled`: all are there.
   * `open`: more can be loaded. `failed`: as `open`, after an attempt that failed.
   */
  readonly state: 'loading' | 'filled' | 'open' | 'failed';
  /** How many lines were loaded into it. */
  readonly loaded: number;
}

/** What stands in a log. */
export type LogItem = LogLine | LogGap;

/** How many of some items are lines. */
export function countLines(items: readonly LogItem[]): number {
  return items.reduce((count, { kind }) => (kind === 'line' ? count + 1 : count), 0);
}

/** The order of a log: by the times that machines wrote, or by the times at which lines were received. */
export type LogOrder = 'time' | 'receipt';

/** The part of an item that its position in a log depends on. */
export interface ItemPosition extends Pick<LogItem, 'micros' | 'key'> {
  readonly receivedMicros?: number | undefined;
}

/** Returns the time by which an item is ordered. What has no time of receipt has the time that is written. */
export function getOrderTime({ micros, receivedMicros }: ItemPosition, order: LogOrder): number {
  return order === 'time' ? micros : (receivedMicros ?? micros);
}

/** Compares items by their order, then as they came. */
export function compareItems(a: ItemPosition, b: ItemPosition, order: LogOrder = 'time'): number {
  return getOrderTime(a, order) - getOrderTime(b, order) || a.key - b.key;
}
