import type { BinaryItem } from '../../model/binaryItem';
import { placementOfType } from '../../model/placement';
import { type LabelsTogether, TogetherTally } from './labelsTogether';
import { TRAINING_KINDS, type TrainingKind, trainingLabels } from './trainingLabels';

/** What a dataset must have before a model is trained on it, as the public service states it. */
export const TRAINING_MINIMUM = {
  /** Images altogether; for detection alone. */
  images: 15,
  /** Of the images, in per cent. */
  labeled: 80,
  /** Examples of each label: boxes for detection, images for classification. */
  perLabel: 10,
} as const;

/** Unlabeled images that are named; of the others only their number is told. */
const MOST_NAMED = 100;

const LABEL_ORDER = new Intl.Collator('en', { numeric: true });

export interface LabelCount {
  readonly label: string;
  /** Its examples: boxes for detection, images for classification. */
  readonly count: number;
  /** Examples that are wanting; 0 when there are enough. */
  readonly missing: number;
}

/** How far a dataset is from being trained on for one purpose. What is missing is 0 where nothing is. */
export interface TrainingReadiness {
  readonly kind: TrainingKind;
  readonly missingImages: number;
  /** Images with a label. */
  readonly labeled: number;
  /** Images to be labeled until enough of those that are there are. */
  readonly missingLabeled: number;
  /** The most frequent first, then by name. */
  readonly labels: readonly LabelCount[];
  /** Images without a label, in the order they came, as many as are worth naming. */
  readonly unlabeled: readonly BinaryItem[];
  readonly isReady: boolean;
}

export interface DatasetReadiness {
  readonly items: number;
  readonly bytes: number;
  /** What training looks at; the other items it passes over. */
  readonly images: number;
  readonly trainings: readonly TrainingReadiness[];
  /** Labels of whole images: a training for one label learns nothing from images with several. */
  readonly together: LabelsTogether;
}

/** Counts the items of a dataset one by one, in memory that grows with the labels alone. */
export class ReadinessTally {
  private items = 0;
  private bytes = 0;
  private images = 0;
  private readonly kinds = TRAINING_KINDS.map((kind) => new LabelTally(kind));
  private readonly together = new TogetherTally();

  add(item: BinaryItem): void {
    this.items += 1;
    this.bytes += item.sizeBytes;
    if (placementOfType(item.mimeType) !== 'images') return;
    this.images += 1;
    for (const tally of this.kinds) tally.add(item);
    this.together.add(trainingLabels(item, 'classification'));
  }

  result(): DatasetReadiness {
    const { items, bytes, images } = this;
    const trainings = this.kinds.map((tally) => tally.result(images));
    return { items, bytes, images, trainings, together: this.together.result() };
  }
}

class LabelTally {
  private labeled = 0;
  private readonly counts = new Map<string, number>();
  private readonly unlabeled: BinaryItem[] = [];

  constructor(private readonly kind: TrainingKind) {}

  add(image: BinaryItem): void {
    const labels = trainingLabels(image, this.kind);
    for (const label of labels) this.counts.set(label, (this.counts.get(label) ?? 0) + 1);
    if (labels.length > 0) this.labeled += 1;
    else if (this.unlabeled.length < MOST_NAMED) this.unlabeled.push(image);
  }

  result(images: number): TrainingReadiness {
    const { kind, labeled, unlabeled } = this;
    const labels = [...this.counts]
      .map(([label, count]) => labelCount(label, count))
      .toSorted((a, b) => b.count - a.count || LABEL_ORDER.compare(a.label, b.label));
    const missingImages = kind === 'detection' ? lack(images, TRAINING_MINIMUM.images) : 0;
    const missingLabeled = lack(labeled, labeledOf(images));
    const isReady =
      missingImages + missingLabeled === 0 &&
      labels.length > 0 &&
      labels.every(({ missing }) => missing === 0);
    return { kind, missingImages, labeled, missingLabeled, labels, unlabeled, isReady };
  }
}

/** A label with so many examples. */
export function labelCount(label: string, count: number): LabelCount {
  return { label, count, missing: lack(count, TRAINING_MINIMUM.perLabel) };
}

/** How many of so many images must be labeled. */
function labeledOf(images: number): number {
  return Math.ceil((images * TRAINING_MINIMUM.labeled) / 100);
}

function lack(has: number, needs: number): number {
  return Math.max(0, needs - has);
}
