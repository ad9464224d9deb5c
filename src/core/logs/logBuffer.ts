import type { PartId } from '../model/ids';
import { type LogEntry, lettersOf } from '../model/logEntry';
import { countLines, type LogGap, type LogItem, type LogLine } from './logItem';
import { SortedLog } from './sortedLog';

/** When there are too many lines, so many of the limit are left out at once: that is cheaper than one by one. */
const DROPPED_SHARE = 0.02;

/** However few the lines are, they have no more UTF-16 units than this: one line may have a megabyte. */
const MOST_LETTERS = 400_000_000;

/** A line with the time at which it was received, as far as that is known. */
export type ReceivedEntry = LogEntry & Pick<LogLine, 'receivedMicros'>;

/** Hears of what happens to a buffer. */
export interface BufferListener {
  added(items: readonly LogItem[], options: { readonly asked: boolean }): void;
  dropped(): void;
  replaced(item: LogItem): void;
  removed(item: LogItem): void;
}

/** What is in memory of the logs of several parts, merged by time. The oldest lines go when there are too many. */
export class LogBuffer {
  readonly log = new SortedLog();
  private lastKey = 0;
  private lineCount = 0;
  private letters = 0;
  private droppedCount = 0;
  private droppedTo = -Infinity;
  private listener: BufferListener | undefined;

  /** @param mostLetters how many UTF-16 units all lines may have together. */
  constructor(
    private maximum: number,
    private readonly mostLetters = MOST_LETTERS,
  ) {}

  get lines(): number {
    return this.lineCount;
  }

  get limit(): number {
    return this.maximum;
  }

  /** How many lines were left out to stay within the limit. */
  get dropped(): number {
    return this.droppedCount;
  }

  /** The time of the newest line that was left out, in microseconds since 1970. */
  get droppedMicros(): number {
    return this.droppedTo;
  }

  listen(listener: BufferListener): void {
    this.listener = listener;
  }

  setLimit(limit: number): void {
    this.maximum = limit;
    this.stayWithin();
  }

  /**
   * Takes in lines of a part, in any order.
   * @param asked somebody asked for them, other than for those that come by themselves.
   */
  add(part: PartId, entries: readonly ReceivedEntry[], asked: boolean): void {
    const inOrder = entries.toSorted((a, b) => a.micros - b.micros);
    const lines = inOrder.map((entry): LogLine => {
      this.lastKey += 1;
      return { kind: 'line', key: this.lastKey, part, ...entry };
    });
    this.log.insert(lines);
    this.lineCount += lines.length;
    this.letters += countLetters(lines);
    this.listener?.added(lines, { asked });
    this.stayWithin();
  }

  /** Marks a place where lines are missing. */
  addGap(gap: Omit<LogGap, 'kind' | 'key'>, asked: boolean): LogGap {
    this.lastKey += 1;
    const added: LogGap = { kind: 'gap', key: this.lastKey, ...gap };
    this.log.insert([added]);
    this.listener?.added([added], { asked });
    return added;
  }

  /** Changes a gap; one that is not there any more stays away. */
  updateGap(gap: LogGap): void {
    this.log.replace(gap);
    this.listener?.replaced(gap);
  }

  removeGap(gap: LogGap): void {
    this.log.remove(gap);
    this.listener?.removed(gap);
  }

  /** Lines of a part from one time to another, both included, in microseconds since 1970. */
  linesOf(part: PartId, startMicros: number, endMicros: number): readonly LogLine[] {
    return this.log
      .between(startMicros, endMicros + 1)
      .filter((item): item is LogLine => item.kind === 'line' && item.part === part);
  }

  /** Leaves out all lines of a part, without counting them as dropped. */
  removePart(part: PartId): void {
    const kept = this.log.all().filter((item) => item.kind === 'gap' || item.part !== part);
    this.holdOnly(kept);
  }

  clear(): void {
    this.droppedTo = -Infinity;
    this.holdOnly([]);
  }

  private holdOnly(items: LogItem[]): void {
    this.log.reset(items);
    this.lineCount = countLines(items);
    this.letters = countLetters(items);
  }

  /** How many of the oldest items are too many. */
  private surplus(): number {
    const lines = this.lineCount - this.maximum;
    if (lines > 0) {
      const wanted = lines + Math.floor(this.maximum * DROPPED_SHARE);
      // Gaps go along with the lines around them, and do not count.
      return Math.min(wanted + this.log.length - this.lineCount, this.log.length);
    }
    if (this.letters <= this.mostLetters) return 0;
    let left = this.letters;
    return (
      this.log.all().findIndex((item) => {
        left -= item.kind === 'line' ? lettersOf(item) : 0;
        return left <= this.mostLetters * (1 - DROPPED_SHARE);
      }) + 1
    );
  }

  private stayWithin(): void {
    const surplus = this.surplus();
    if (surplus === 0) return;
    const items = this.log.dropFirst(surplus);
    const dropped = countLines(items);
    this.droppedTo = Math.max(this.droppedTo, items.at(-1)?.micros ?? -Infinity);
    this.lineCount -= dropped;
    this.letters -= countLetters(items);
    this.droppedCount += dropped;
    this.listener?.dropped();
  }
}

function countLetters(items: readonly LogItem[]): number {
  return items.reduce((sum, item) => (item.kind === 'line' ? sum + lettersOf(item) : sum), 0);
}
