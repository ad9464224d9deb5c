import type { TrainingLogLine, TrainingLogPage } from '../model/trainingLog';
import { ProgressReader, type TrainingProgress } from './trainingProgress';

/** Requests a page of a log. */
export type ReadLogPage = (token: string, signal: AbortSignal) => Promise<TrainingLogPage>;

/** Maximum number of lines in memory. If there are more, the oldest lines are dropped. */
const MAX_LINES = 10_000;
/** Maximum length of a line, because longer lines are not readable text. */
const MAX_LINE_LENGTH = 4_000;
const LINE_END = /\r\n|[\n\r]/;
/**
 * Maximum number of pages per read, in case a service always reports that there is another page.
 */
const MAX_PAGES = 200;

/**
 * Reads the log of a training job. Each read starts with the last known page, which might have
 * grown even if the service doesn't report a next page.
 */
export class TrainingLogReader {
  private readonly storedLines: TrainingLogLine[] = [];
  private readonly reader = new ProgressReader();
  /** Token of the last known page. The next read starts with this page. */
  private token = '';
  /** Number of known lines in that page. */
  private known = 0;
  private gone = 0;
  private isBehind = false;

  constructor(private readonly readPage: ReadLogPage) {}

  /** Lines in memory, oldest first. */
  get lines(): readonly TrainingLogLine[] {
    return this.storedLines;
  }

  /** Number of dropped lines before the lines in memory. */
  get dropped(): number {
    return this.gone;
  }

  get progress(): TrainingProgress {
    return this.reader.progress;
  }

  /** True if the last read did not finish because there were too many pages. */
  get hasMore(): boolean {
    return this.isBehind;
  }

  /**
   * Reads new lines. Throws `unsupported` if the service has no logs.
   * @returns the number of new lines
   */
  async read(signal: AbortSignal): Promise<number> {
    let came = 0;
    this.isBehind = true;
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
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
        this.storedLines.push({ level, at, message: line.slice(0, MAX_LINE_LENGTH) });
      }
    }
    const over = this.storedLines.length - MAX_LINES;
    if (over <= 0) return;
    this.storedLines.splice(0, over);
    this.gone += over;
  }
}
