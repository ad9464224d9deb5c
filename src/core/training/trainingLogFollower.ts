import type { TrainingLogLine, TrainingLogPage } from '../model/trainingLog';
import { ProgressReader, type TrainingProgress } from './trainingProgress';

/** Asks for a page of a log. */
export type ReadLogPage = (token: string, signal: AbortSignal) => Promise<TrainingLogPage>;

/** So many lines are kept; of a longer log the newest. */
const MOST_LINES = 10_000;
/** Longer lines are no text that people read. */
const LONGEST_LINE = 4_000;
const LINE_END = /\r\n|[\n\r]/;
/** Pages of one reading: a service that always has a next one is left alone for now. */
const MOST_PAGES = 200;

/**
 * The log of a training job as far as it was read. Reads what has come since, again from the last page on:
 * that one may have grown, whether or not the service names a page after it.
 */
export class TrainingLogFollower {
  private readonly kept: TrainingLogLine[] = [];
  private readonly reader = new ProgressReader();
  /** Of the page that is read again. */
  private token = '';
  /** How many lines of that page are known. */
  private known = 0;
  private gone = 0;
  private isBehind = false;

  constructor(private readonly readPage: ReadLogPage) {}

  /** The lines that are kept, the oldest first. */
  get lines(): readonly TrainingLogLine[] {
    return this.kept;
  }

  /** How many lines came before those that are kept. */
  get dropped(): number {
    return this.gone;
  }

  get progress(): TrainingProgress {
    return this.reader.progress;
  }

  /** Whether the last reading left pages behind: there are so many that they take several. */
  get hasMore(): boolean {
    return this.isBehind;
  }

  /**
   * Reads what has come since. Throws `unsupported` where the service keeps no logs.
   * @returns how many lines have come
   */
  async read(signal: AbortSignal): Promise<number> {
    let came = 0;
    this.isBehind = true;
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const { lines, next } = await this.readPage(this.token, signal);
      signal.throwIfAborted();
      const fresh = lines.slice(this.known);
      this.take(fresh);
      came += fresh.length;
      this.known = Math.max(this.known, lines.length);
      const isLast = next === '' || next === this.token;
      if (!isLast) {
        this.token = next;
        this.known = 0;
      }
      if (isLast || lines.length === 0) {
        this.isBehind = false;
        break;
      }
    }
    return came;
  }

  private take(lines: readonly TrainingLogLine[]): void {
    for (const { level, at, message } of lines) {
      for (const line of message.split(LINE_END)) {
        this.reader.add(line);
        this.kept.push({ level, at, message: line.slice(0, LONGEST_LINE) });
      }
    }
    const over = this.kept.length - MOST_LINES;
    if (over <= 0) return;
    this.kept.splice(0, over);
    this.gone += over;
  }
}
