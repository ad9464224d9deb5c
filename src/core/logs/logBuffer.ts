import type { PartId } from '../model/ids';
import { type LogEntry, getCharCount } from '../model/logEntry';
import { countLines, type LogGap, type LogItem, type LogLine } from './logItem';
import { SortedLog } from './sortedLog';

/**
 * Fraction of the limit to drop in one step when there are too many lines. Dropping lines
 * individually is more expensive.
 */
const DROPPED_SHARE = 0.02;

/**
 * Maximum total length of all lines in UTF-16 units. A limit on the number of lines isn't
 * sufficient, because a single line can be a megabyte long.
 */
const MAX_CHARS = 400_000_000;

/** Line with its time of receipt, if known. */
export type ReceivedEntry = LogEntry & Pick<LogLine, 'receivedMicros'>;

/** Listener for changes to a buffer. */
export interface BufferListener {
  added(items: readonly LogItem[], options: { readonly isRequested: boolean }): void;
  dropped(): void;
  onReplaced(item: LogItem): void;
  removed(item: LogItem): void;
}

/**
 * Buffer for the logs of multiple parts, merged by time. Drops the oldest lines when the limit is
 * exceeded.
 */
export class LogBuffer {
  readonly log = new SortedLog();
  private lastKey = 0;
  private lineCount = 0;
  private charCount = 0;
  private droppedCount = 0;
  private droppedTo = -Infinity;
  private listener: BufferListener | undefined;

  /** @param maxChars maximum total length of all lines in UTF-16 units. */
  constructor(
    private maximum: number,
    private readonly maxChars = MAX_CHARS,
  ) {}

  get lines(): number {
    return this.lineCount;
  }

  get limit(): number {
    return this.maximum;
  }

  /** Number of lines that were dropped because of the limit since the buffer was cleared. */
  get dropped(): number {
    return this.droppedCount;
  }

  /** Time of the newest dropped line, in microseconds since 1970. */
  get droppedMicros(): number {
    return this.droppedTo;
  }

  get gaps(): readonly LogGap[] {
    return this.log.all().filter((item) => item.kind === 'gap');
  }

  listen(listener: BufferListener): void {
    this.listener = listener;
  }

  setLimit(limit: number): void {
    this.maximum = limit;
    this.enforceLimit();
  }

  /**
   * Adds a part's lines, in any order.
   * @param isRequested true if the user requested the lines; false if they arrived live.
   */
  add(part: PartId, entries: readonly ReceivedEntry[], isRequested: boolean): void {
    const inOrder = entries.toSorted((a, b) => a.micros - b.micros);
    const lines = inOrder.map((entry): LogLine => {
      this.lastKey += 1;
      return { kind: 'line', key: this.lastKey, part, ...entry };
    });
    this.log.insert(lines);
    this.lineCount += lines.length;
    this.charCount += countChars(lines);
    this.listener?.added(lines, { isRequested });
    this.enforceLimit();
  }

  /** Adds a marker where lines are missing. */
  addGap(gap: Omit<LogGap, 'kind' | 'key'>, isRequested: boolean): LogGap {
    this.lastKey += 1;
    const added: LogGap = { kind: 'gap', key: this.lastKey, ...gap };
    this.log.insert([added]);
    this.listener?.added([added], { isRequested });
    return added;
  }

  /** Returns the current state of a gap; undefined if it was removed. */
  findGap(gap: LogGap): LogGap | undefined {
    const current = this.log.find(gap);
    return current?.kind === 'gap' ? current : undefined;
  }

  /** Updates a gap, unless it was removed. */
  updateGap(gap: LogGap): void {
    this.log.replace(gap);
    this.listener?.onReplaced(gap);
  }

  removeGap(gap: LogGap): void {
    this.log.remove(gap);
    this.listener?.removed(gap);
  }

  /** Returns a part's lines in an inclusive time range. Times are in microseconds since 1970. */
  getLines(part: PartId, startMicros: number, endMicros: number): readonly LogLine[] {
    return this.log
      .between(startMicros, endMicros + 1)
      .filter((item): item is LogLine => item.kind === 'line' && item.part === part);
  }

  /** Removes all of a part's lines without counting them as dropped. */
  removePart(part: PartId): void {
    const remaining = this.log.all().filter((item) => item.kind === 'gap' || item.part !== part);
    this.resetTo(remaining);
  }

  clear(): void {
    this.droppedTo = -Infinity;
    this.droppedCount = 0;
    this.resetTo([]);
  }

  private resetTo(items: LogItem[]): void {
    this.log.reset(items);
    this.lineCount = countLines(items);
    this.charCount = countChars(items);
  }

  /** Returns the number of items to drop, starting with the oldest. */
  private surplus(): number {
    const lines = this.lineCount - this.maximum;
    if (lines > 0) {
      const excess = lines + Math.floor(this.maximum * DROPPED_SHARE);
      // Gaps are dropped with the lines around them and don't count toward the limit.
      return Math.min(excess + this.log.length - this.lineCount, this.log.length);
    }
    if (this.charCount <= this.maxChars) return 0;
    let left = this.charCount;
    return (
      this.log.all().findIndex((item) => {
        left -= item.kind === 'line' ? getCharCount(item) : 0;
        return left <= this.maxChars * (1 - DROPPED_SHARE);
      }) + 1
    );
  }

  private enforceLimit(): void {
    const surplus = this.surplus();
    if (surplus === 0) return;
    const items = this.log.dropFirst(surplus);
    const dropped = countLines(items);
    this.droppedTo = Math.max(this.droppedTo, items.at(-1)?.micros ?? -Infinity);
    this.lineCount -= dropped;
    this.charCount -= countChars(items);
    this.droppedCount += dropped;
    this.listener?.dropped();
  }
}

function countChars(items: readonly LogItem[]): number {
  return items.reduce((sum, item) => (item.kind === 'line' ? sum + getCharCount(item) : sum), 0);
}
