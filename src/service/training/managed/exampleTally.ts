import type { TrainingTask } from '../../../core/model/trainingTask';
import type { Example, PassedOver, Seen } from './examples';

/** Counts what a training has to learn from, in memory that grows with its labels alone. */
export class ExampleTally {
  /** Images that are learned from. */
  images = 0;
  /** Of them, those with all of the labels. */
  withAll = 0;
  /** Examples of each label: boxes for detection, images for classification. */
  readonly perLabel: number[];
  /** Of each label, images that are passed over for having others of the labels too. */
  readonly amongSeveral: number[];
  readonly passedOver = new Map<PassedOver, number>();

  constructor(
    private readonly task: TrainingTask,
    labels: number,
  ) {
    this.perLabel = new Array<number>(labels).fill(0);
    this.amongSeveral = [...this.perLabel];
  }

  add({ example, passedOver }: Seen): void {
    if (passedOver === undefined) {
      this.learn(example);
      return;
    }
    this.passedOver.set(passedOver, (this.passedOver.get(passedOver) ?? 0) + 1);
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

function countUp(counts: number[], places: readonly number[]): void {
  for (const place of places) counts[place] = (counts[place] ?? 0) + 1;
}
