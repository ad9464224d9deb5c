import { type BinaryItem, getPlacement, getUserTags } from '../../model/binaryItem';
import { canceled } from '../../api/errors';
import { datasetFilter } from '../../model/captureFilter';
import type { DatasetTarget } from '../../model/resourceTarget';
import type { BinaryDataStore } from '../../stores/binaryDataStore';
import { readTargetPages } from '../actions/targetPages';

/**
 * Maximum total number of labels in all cached sets. A limit is needed because every image can have
 * a different set.
 */
const MAX_CACHED_LABELS = 100_000;

/** Set of labels that occur on the same image. */
export interface LabelSet {
  readonly labels: readonly string[];
  /** Number of images with exactly these labels. */
  readonly images: number;
}

/** Label sets for all images with more than one label. */
interface LabelsTogether {
  /** Number of images in all sets. */
  readonly images: number;
  readonly sets: readonly LabelSet[];
}

/** Images that have more than one of the given labels. */
export interface Several {
  readonly images: number;
  /** True if `images` is a minimum, because not all label sets are known. */
  readonly isLeast: boolean;
  /** Number of these images that have each label. */
  readonly byLabel: ReadonlyMap<string, number>;
}

/** Counts the images with more than one label by label set, in bounded memory. */
export class TogetherTally {
  private images = 0;
  private cachedLabels = 0;
  private readonly counts = new Map<string, number>();

  constructor(private readonly maxCachedLabels = MAX_CACHED_LABELS) {}

  /** @param labels labels on one image, without duplicates. */
  add(labels: readonly string[]): void {
    if (labels.length < 2) return;
    this.images += 1;
    const key = JSON.stringify(labels.toSorted());
    const count = this.counts.get(key);
    if (count === undefined && this.cachedLabels + labels.length > this.maxCachedLabels) return;
    if (count === undefined) this.cachedLabels += labels.length;
    this.counts.set(key, (count ?? 0) + 1);
  }

  result(): LabelsTogether {
    const sets = [...this.counts].map(([key, images]) => ({
      labels: JSON.parse(key) as readonly string[],
      images,
    }));
    return { images: this.images, sets };
  }
}

/** Counts the images that have more than one of these labels. */
export function imagesWithSeveral(
  { images: all, sets }: LabelsTogether,
  labels: readonly string[],
): Several {
  const chosen = new Set(labels);
  const byLabel = new Map<string, number>();
  let [images, known] = [0, 0];
  for (const set of sets) {
    known += set.images;
    const found = set.labels.filter((label) => chosen.has(label));
    if (found.length < 2) continue;
    images += set.images;
    for (const label of found) byLabel.set(label, (byLabel.get(label) ?? 0) + set.images);
  }
  return { images, isLeast: known < all, byLabel };
}

/** Kind of model to train: classification of an image or detection of objects in it. */
export type TrainingKind = 'detection' | 'classification';

/** Kinds of training, in display order. */
const TRAINING_KINDS: readonly TrainingKind[] = ['detection', 'classification'];

/**
 * Returns an image's labels for training. For detection, each box is an example. For
 * classification, the examples are the labels of the whole image: its tags and classifications,
 * each label once.
 */
function trainingLabels(item: BinaryItem, kind: TrainingKind): readonly string[] {
  if (kind === 'detection') return item.boxes.map(({ label }) => label);
  const classified = item.classifications.map(({ label }) => label);
  return [...new Set([...getUserTags(item), ...classified])];
}

/** Minimum requirements for training on a dataset, as documented by the public service. */
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
 * A dataset's readiness for one kind of training. Counts of missing examples are 0 if nothing is
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
 * Counts the items in a dataset one by one, in memory that grows only with the number of labels.
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

export interface ReadOptions {
  readonly signal: AbortSignal;
  /** Called with the number of items read and the total. */
  readonly onProgress?: (done: number, of: number) => void;
}

/**
 * Yields all items in a dataset, page by page, without their contents.
 * @throws FleetError; `canceled` when the signal aborts.
 */
export async function* readDatasetItems(
  store: BinaryDataStore,
  { organizationId, datasetId }: Pick<DatasetTarget, 'organizationId' | 'datasetId'>,
  { signal, onProgress }: ReadOptions,
): AsyncGenerator<readonly BinaryItem[]> {
  const filter = datasetFilter(organizationId, datasetId);
  const { count } = await store.count(filter, signal);
  let done = 0;
  for await (const { items } of readTargetPages(
    store,
    { kind: 'filter', filter, count },
    false,
    signal,
  )) {
    yield items;
    done += items.length;
    // Raises the total if items were added during the read.
    onProgress?.(done, Math.max(done, count));
  }
  if (signal.aborted) throw canceled();
}

/**
 * Determines whether a dataset is ready for training. Throws the same errors as `readDatasetItems`.
 */
export async function readReadiness(
  store: BinaryDataStore,
  dataset: Pick<DatasetTarget, 'organizationId' | 'datasetId'>,
  options: ReadOptions,
): Promise<DatasetReadiness> {
  const tally = new ReadinessTally();
  for await (const items of readDatasetItems(store, dataset, options)) {
    for (const item of items) tally.add(item);
  }
  return tally.result();
}
