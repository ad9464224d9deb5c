/** Maximum number of labels in all cached sets. Every image can have a different set. */
const MAX_CACHED_LABELS = 100_000;

/** Set of labels that occur on the same image. */
export interface LabelSet {
  readonly labels: readonly string[];
  /** Number of images with exactly these labels. */
  readonly images: number;
}

/** Label sets of all images with more than one label. */
export interface LabelsTogether {
  /** Number of images in all sets. */
  readonly images: number;
  readonly sets: readonly LabelSet[];
}

/** Images that have more than one of the given labels. */
export interface Several {
  readonly images: number;
  /** True if `images` is a minimum, because not all label sets are known. */
  readonly isLeast: boolean;
  /** Number of these images per label. */
  readonly byLabel: ReadonlyMap<string, number>;
}

/** Counts the images with more than one label by label set, in bounded memory. */
export class TogetherTally {
  private images = 0;
  private cachedLabels = 0;
  private readonly counts = new Map<string, number>();

  constructor(private readonly maxCachedLabels = MAX_CACHED_LABELS) {}

  /** @param labels labels of one image, without duplicates. */
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
