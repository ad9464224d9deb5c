import { stripAnsi } from '../../base/ansiText';
import type { TrainingLogLine, TrainingLogPage } from '../model/trainingJob';

/** Requests a log page. */
export type ReadLogPage = (token: string, signal: AbortSignal) => Promise<TrainingLogPage>;

/** Maximum number of lines in memory. If there are more, the oldest lines are dropped. */
const MAX_LINES = 10_000;
/** Maximum length of a line. Longer lines are not readable text. */
const MAX_LINE_LENGTH = 4_000;
const LINE_END = /\r\n|[\n\r]/;
/**
 * Maximum number of pages per read, in case a service always reports that there is another page.
 */
const MAX_PAGES = 200;

/**
 * Reads a training job's log. Each read starts with the last known page, which might have grown
 * even if the service doesn't report a next page.
 */
export class TrainingLogReader {
  private readonly storedLines: TrainingLogLine[] = [];
  private readonly reader = new ProgressReader();
  /** Token for the last known page. The next read starts with this page. */
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
      // Programs write colors for a terminal. Nothing that reads this log displays them.
      for (const line of stripAnsi(message).split(LINE_END)) {
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

/** Metrics that a training job reported for an epoch, during the epoch or at its end. */
interface EpochMetrics {
  /** Number of the epoch, starting at 1. */
  readonly epoch: number;
  /** Metrics by name, such as `loss` and `val_accuracy`. */
  readonly metrics: ReadonlyMap<string, number>;
}

/** Progress of a training job, according to its log. */
export interface TrainingProgress {
  /** Number of the current epoch, starting at 1; undefined before the first epoch. */
  readonly epoch: number | undefined;
  /** Planned number of epochs. Training can end earlier. */
  readonly epochs: number | undefined;
  /** Metrics for all epochs that reported metrics, in order. */
  readonly points: readonly EpochMetrics[];
}

/** Maximum number of epochs to read, more than any chart shows. */
const MAX_EPOCHS = 10_000;
/** Maximum number of metrics per epoch, as many as a chart can distinguish. */
const MAX_METRICS = 12;
/** Maximum number of characters to search in a line. An epoch's metrics are near the start. */
const MAX_PARSED_LENGTH = 2_000;

/** Formats such as `Epoch 3/40` and `Epoch [3/40]`. */
const EPOCH = /\bepoch\s*\[?(\d{1,9})\s*\/\s*(\d{1,9})\b/i;
/**
 * Keras reports an epoch's metrics on a separate line, such as `12/12 [====] - 1s 5ms/step - loss:
 * 0.4`.
 */
const STEPS = /^\s*\d{1,9}\/\d{1,9}\s/;
const FIGURE =
  /(?<=^|[\s,\]-])([a-z][\w.]*)\s*[:=]\s*(-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?=$|[\s,])/gi;

/**
 * Reads a training job's progress from its log. Managed jobs report progress in Keras's format,
 * with one line per epoch. Scripts can use the two lines that Keras itself writes, or similar
 * lines.
 */
export class ProgressReader {
  private epoch: number | undefined;
  private epochs: number | undefined;
  private readonly points: EpochMetrics[] = [];

  get progress(): TrainingProgress {
    const { epoch, epochs, points } = this;
    return { epoch, epochs, points: [...points] };
  }

  /** Processes the next log line, without escape sequences. */
  add(message: string): void {
    const line = message.slice(0, MAX_PARSED_LENGTH);
    const found = EPOCH.exec(line);
    if (found) {
      this.begin(Number(found[1]), Number(found[2]));
      this.take(line.slice(found.index + found[0].length));
    } else if (STEPS.test(line)) {
      this.take(line);
    }
  }

  private begin(epoch: number, epochs: number): void {
    // After an interruption, training can resume at an earlier epoch.
    while ((this.points.at(-1)?.epoch ?? 0) > epoch) this.points.pop();
    this.epoch = epoch;
    this.epochs = epochs;
  }

  private take(text: string): void {
    const { epoch, points } = this;
    const metrics = parseMetrics(text);
    if (epoch === undefined || metrics.size === 0) return;
    if (points.at(-1)?.epoch === epoch) points.pop();
    if (points.length < MAX_EPOCHS) points.push({ epoch, metrics });
  }
}

function parseMetrics(text: string): ReadonlyMap<string, number> {
  const metrics = new Map<string, number>();
  for (const [, name = '', value] of text.matchAll(FIGURE)) {
    if (metrics.size === MAX_METRICS) break;
    metrics.set(name.toLowerCase(), Number(value));
  }
  return metrics;
}
