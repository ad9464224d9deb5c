import type { PartId } from '../model/ids';
import type { LogEntry } from '../model/logEntry';

/** Line that a part logged. */
export interface LogLine extends LogEntry {
  readonly kind: 'line';
  /** Identifies the line while it is in memory. Later lines have higher keys. */
  readonly key: number;
  readonly part: PartId;
  /**
   * Time of receipt in microseconds since 1970. Exact for a line that arrived live. For a line that
   * was read although its timestamp is later, this is the latest possible time. Undefined for all
   * other lines.
   */
  readonly receivedMicros?: number | undefined;
}

/**
 * Reason why lines are missing: the connection was lost (`break`), the service couldn't deliver
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

/** Item of a log: a line or a gap. */
export type LogItem = LogLine | LogGap;

/** Counts the lines in a list of items. */
export function countLines(items: readonly LogItem[]): number {
  return items.reduce((count, { kind }) => (kind === 'line' ? count + 1 : count), 0);
}

/** Order of a log: by the machines' timestamps or by the times of receipt. */
export type LogOrder = 'time' | 'receipt';

/** Fields of an item that determine its position in a log. */
export interface ItemPosition extends Pick<LogItem, 'micros' | 'key'> {
  readonly receivedMicros?: number | undefined;
}

/**
 * Returns the time by which an item is ordered. An item without a time of receipt is ordered by its
 * timestamp.
 */
export function getOrderTime({ micros, receivedMicros }: ItemPosition, order: LogOrder): number {
  return order === 'time' ? micros : (receivedMicros ?? micros);
}

/** Compares items by time, then by order of arrival. */
export function compareItems(a: ItemPosition, b: ItemPosition, order: LogOrder = 'time'): number {
  return getOrderTime(a, order) - getOrderTime(b, order) || a.key - b.key;
}
