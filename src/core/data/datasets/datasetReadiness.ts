import type { BinaryItem } from '../../model/binaryItem';
import { getPlacement } from '../../model/placement';
import { type LabelsTogether, TogetherTally } from './labelsTogether';
import { TRAINING_KINDS, type TrainingKind, trainingLabels } from './trainingLabels';

/** Minimum requirements of a dataset for training, as documented by the public service. */
export const TRAINING_MINIMUM = {
  /** Minimum number of images; for detection only. */
  images: 15,
  /** Minimum percentage of labeled images. */
  labeled: 80,
  /** Minimum number of examples per label: boxes for detection, images for classification. */
  perLabel: 10,
} as const;

/** Maximum number of unlabeled images to list. Further images are only counted. */
const MAX_LISTED_IMAGES = 100;

const LABEL_ORDER = new Intl.Collator('en', { numeric: true });

export interface LabelCount {
  readonly label: string;
  /** Number of examples: boxes for detection, images for classification. */
  readonly count: number;
  /** Number of missing examples; 0 if there are enough. */
  readonly missing: number;
}

/**
 * Readiness of a dataset for one kind of training. Counts of missing examples are 0 if nothing is
 * missing.
 */
export interface TrainingReadiness {
  readonly kind: TrainingKind;
  readonly missingImages: number;
  /** Number of images with a label. */
  readonly labeled: number;
  /** Number of existing images that must still be labeled. */
  readonly missingLabeled: number;
  /** Labels by descending count, then by name. */
  readonly labels: readonly LabelCount[];
  /** The first unlabeled images, in order, up to the limit. */
  readonly unlabeled: readonly BinaryItem[];
  readonly isReady: boolean;
}

export interface DatasetReadiness {
  readonly items: number;
  readonly bytes: number;
  /** Number of images; training skips other items. */
  readonly images: number;
  readonly trainings: readonly TrainingReadiness[];
  /**
   * Label sets of images with more than one label. Single-label training learns nothing from these
   * images.
   */
  readonly together: LabelsTogether;
}

/**
 * Counts the items of a dataset one by one, in memory that grows only with the number of labels.
 */
export class ReadinessTally {
  private items = 0;
  private bytes = 0;
  private images = 0;
  private readonly kinds = TRAINING_KINDS.map((kind) => new LabelTally(kind));
  private readonly together = new TogetherTally();

  add(item: BinaryItem): void {
    this.items += 1;
    this.bytes += item.sizeBytes;
    if (getPlacement(item.mimeType) !== 'images') return;
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
    else if (this.unlabeled.length < MAX_LISTED_IMAGES) this.unlabeled.push(image);
  }

  result(images: number): TrainingReadiness {
    const { kind, labeled, unlabeled } = this;
    const labels = [...this.counts]
      .map(([label, count]) => labelCount(label, count))
      .toSorted((a, b) => b.count - a.count || LABEL_ORDER.compare(a.label, b.label));
    const missingImages = kind === 'detection' ? getShortfall(images, TRAINING_MINIMUM.images) : 0;
    const missingLabeled = getShortfall(labeled, getRequiredLabelCount(images));
    const isReady =
      missingImages + missingLabeled === 0 &&
      labels.length > 0 &&
      labels.every(({ missing }) => missing === 0);
    return { kind, missingImages, labeled, missingLabeled, labels, unlabeled, isReady };
  }
}

/** Returns the number of examples for a label and the number of missing examples. */
export function labelCount(label: string, count: number): LabelCount {
  return { label, count, missing: getShortfall(count, TRAINING_MINIMUM.perLabel) };
}

/** Returns the minimum number of images that must be labeled. */
function getRequiredLabelCount(images: number): number {
  return Math.ceil((images * TRAINING_MINIMUM.labeled) / 100);
}

function getShortfall(has: number, needs: number): number {
  return Math.max(0, needs - has);
}
