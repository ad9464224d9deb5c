import type { TrainingTask } from '../../../core/model/trainingTask';
import type { Example, SkipReason, Seen } from './examples';

/** Counts examples for training. Its memory use grows only with the number of labels. */
export class ExampleTally {
  /** Number of images used for training. */
  images = 0;
  /** Number of those images that have all of the labels. */
  withAll = 0;
  /** Number of examples per label: boxes for detection, images for classification. */
  readonly perLabel: number[];
  /** Number of images per label that are skipped because they have more than one of the labels. */
  readonly amongSeveral: number[];
  readonly skipped = new Map<SkipReason, number>();

  constructor(
    private readonly task: TrainingTask,
    labels: number,
  ) {
    this.perLabel = new Array<number>(labels).fill(0);
    this.amongSeveral = [...this.perLabel];
  }

  add({ example, skipReason: passedOver }: Seen): void {
    if (passedOver === undefined) {
      this.learn(example);
      return;
    }
    this.skipped.set(passedOver, (this.skipped.get(passedOver) ?? 0) + 1);
    if (passedOver === 'severalLabels') countUp(this.amongSeveral, example.classes);
  }

  private learn({ classes, boxes }: Example): void {
    this.images += 1;
    if (classes.length === this.perLabel.length) this.withAll += 1;
    countUp(
      this.perLabel,
      this.task === 'objectDetection' ? boxes.map((box) => box.class) : classes,
    );
  }
}

function countUp(counts: number[], indexes: readonly number[]): void {
  for (const index of indexes) counts[index] = (counts[index] ?? 0) + 1;
}
