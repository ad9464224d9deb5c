/** What a training told of itself at the end of an epoch, or in the middle of it. */
interface EpochFigures {
  /** Counted from 1. */
  readonly epoch: number;
  /** By their names, such as `loss` and `val_accuracy`. */
  readonly figures: ReadonlyMap<string, number>;
}

/** How far a training is, as its log tells it. */
export interface TrainingProgress {
  /** The epoch that is being trained, counted from 1; undefined before the first. */
  readonly epoch: number | undefined;
  /** How many there are to be; a training may end before. */
  readonly epochs: number | undefined;
  /** Of each epoch that told any, in their order. */
  readonly points: readonly EpochFigures[];
}

/** More epochs than anyone draws. */
const MOST_EPOCHS = 10_000;
/** More figures of an epoch are not told apart in a chart. */
const MOST_FIGURES = 12;
/** Figures of an epoch stand at the start of a line. */
const LONGEST_LOOKED_AT = 2_000;

/** Programs write colors into their logs. */
const COLORS = new RegExp(String.raw`\u001b\[[\d;]*m`, 'g');
/** Such as `Epoch 3/40`, and `Epoch [3/40]` as others write it. */
const EPOCH = /\bepoch\s*\[?(\d{1,9})\s*\/\s*(\d{1,9})\b/i;
/** Keras tells the figures of an epoch in lines of their own: `12/12 [====] - 1s 5ms/step - loss: 0.4`. */
const STEPS = /^\s*\d{1,9}\/\d{1,9}\s/;
const FIGURE =
  /(?<=^|[\s,\]-])([a-z][\w.]*)\s*[:=]\s*(-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?=$|[\s,])/gi;

/**
 * Reads from the lines of a log how far a training is. Managed trainings tell it as Keras does, in one line
 * for each epoch; scripts may use the two lines that Keras itself writes, or something near.
 */
export class ProgressReader {
  private epoch: number | undefined;
  private epochs: number | undefined;
  private readonly points: EpochFigures[] = [];

  get progress(): TrainingProgress {
    const { epoch, epochs, points } = this;
    return { epoch, epochs, points: [...points] };
  }

  /** Takes the next line of the log. */
  add(message: string): void {
    const line = message.slice(0, LONGEST_LOOKED_AT).replace(COLORS, '');
    const found = EPOCH.exec(line);
    if (found) {
      this.begin(Number(found[1]), Number(found[2]));
      this.take(line.slice(found.index + found[0].length));
    } else if (STEPS.test(line)) this.take(line);
  }

  private begin(epoch: number, epochs: number): void {
    // A training that was interrupted goes on from an epoch that was there before.
    while ((this.points.at(-1)?.epoch ?? 0) > epoch) this.points.pop();
    this.epoch = epoch;
    this.epochs = epochs;
  }

  private take(text: string): void {
    const { epoch, points } = this;
    const figures = figuresOf(text);
    if (epoch === undefined || figures.size === 0) return;
    if (points.at(-1)?.epoch === epoch) points.pop();
    if (points.length < MOST_EPOCHS) points.push({ epoch, figures });
  }
}

function figuresOf(text: string): ReadonlyMap<string, number> {
  const figures = new Map<string, number>();
  for (const [, name = '', value] of text.matchAll(FIGURE)) {
    if (figures.size === MOST_FIGURES) break;
    figures.set(name.toLowerCase(), Number(value));
  }
  return figures;
}
