import type { PartId } from '../model/ids';
import type { LogEntry } from '../model/logEntry';

/** One line that a part logged. */
export interface LogLine extends LogEntry {
  readonly kind: 'line';
  /** Names the line as long as it is in memory; later ones have higher keys. */
  readonly key: number;
  readonly part: PartId;
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

/** Order in a log: by time, then as they came. */
export function compareItems(
  a: Pick<LogItem, 'micros' | 'key'>,
  b: Pick<LogItem, 'micros' | 'key'>,
): number {
  return a.micros - b.micros || a.key - b.key;
}
