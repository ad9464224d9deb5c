/** Metrics that a training reported at the end of an epoch, or during it. */
interface EpochMetrics {
  /** Number of the epoch, from 1. */
  readonly epoch: number;
  /** Metrics by name, such as `loss` and `val_accuracy`. */
  readonly figures: ReadonlyMap<string, number>;
}

/** Progress of a training according to its log. */
export interface TrainingProgress {
  /** Current epoch, from 1; undefined before the first. */
  readonly epoch: number | undefined;
  /** Planned number of epochs; a training can end earlier. */
  readonly epochs: number | undefined;
  /** Metrics of each epoch that reported any, in order. */
  readonly points: readonly EpochMetrics[];
}

/** Maximum number of epochs, more than any chart shows. */
const MAX_EPOCHS = 10_000;
/** Maximum number of metrics per epoch that a chart can distinguish. */
const MAX_METRICS = 12;
/** Maximum length to search: the metrics of an epoch are near the start of a line. */
const MAX_PARSED_LENGTH = 2_000;

/** Color codes that programs write to their logs. */
const COLORS = new RegExp(String.raw`\u001b\[[\d;]*m`, 'g');
/** Formats such as `Epoch 3/40` and `Epoch [3/40]`. */
const EPOCH = /\bepoch\s*\[?(\d{1,9})\s*\/\s*(\d{1,9})\b/i;
/**
 * Keras reports the metrics of an epoch on separate lines: `12/12 [====] - 1s 5ms/step - loss:
 * 0.4`.
 */
const STEPS = /^\s*\d{1,9}\/\d{1,9}\s/;
const FIGURE =
  /(?<=^|[\s,\]-])([a-z][\w.]*)\s*[:=]\s*(-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?=$|[\s,])/gi;

/**
 * Reads the progress of a training from its log. Managed trainings report it in the format of
 * Keras, on one line per epoch; scripts can use the two lines that Keras itself writes, or similar
 * ones.
 */
export class ProgressReader {
  private epoch: number | undefined;
  private epochs: number | undefined;
  private readonly points: EpochMetrics[] = [];

  get progress(): TrainingProgress {
    const { epoch, epochs, points } = this;
    return { epoch, epochs, points: [...points] };
  }

  /** Processes the next line of the log. */
  add(message: string): void {
    const line = message.slice(0, MAX_PARSED_LENGTH).replace(COLORS, '');
    const found = EPOCH.exec(line);
    if (found) {
      this.begin(Number(found[1]), Number(found[2]));
      this.take(line.slice(found.index + found[0].length));
    } else if (STEPS.test(line)) this.take(line);
  }

  private begin(epoch: number, epochs: number): void {
    // An interrupted training resumes with an earlier epoch.
    while ((this.points.at(-1)?.epoch ?? 0) > epoch) this.points.pop();
    this.epoch = epoch;
    this.epochs = epochs;
  }

  private take(text: string): void {
    const { epoch, points } = this;
    const figures = parseMetrics(text);
    if (epoch === undefined || figures.size === 0) return;
    if (points.at(-1)?.epoch === epoch) points.pop();
    if (points.length < MAX_EPOCHS) points.push({ epoch, figures });
  }
}

function parseMetrics(text: string): ReadonlyMap<string, number> {
  const figures = new Map<string, number>();
  for (const [, name = '', value] of text.matchAll(FIGURE)) {
    if (figures.size === MAX_METRICS) break;
    figures.set(name.toLowerCase(), Number(value));
  }
  return figures;
}
