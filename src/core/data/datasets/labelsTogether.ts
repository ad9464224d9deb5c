/** So many labels are kept of all sets: every image may have a set of its own. */
const MOST_KEPT = 100_000;

/** Labels that images have together. */
export interface LabelSet {
  readonly labels: readonly string[];
  /** Images that have just these. */
  readonly images: number;
}

/** What images with several labels have. */
export interface LabelsTogether {
  /** All of them. */
  readonly images: number;
  readonly sets: readonly LabelSet[];
}

/** Images with several labels of some. */
export interface Several {
  readonly images: number;
  /** Whether there may be more: not all sets are known. */
  readonly isLeast: boolean;
  /** How many of the images have each of the labels. */
  readonly byLabel: ReadonlyMap<string, number>;
}

/** Counts the images with several labels by what they have, in bounded memory. */
export class TogetherTally {
  private images = 0;
  private kept = 0;
  private readonly counts = new Map<string, number>();

  constructor(private readonly mostKept = MOST_KEPT) {}

  /** @param labels of one image, each once. */
  add(labels: readonly string[]): void {
    if (labels.length < 2) return;
    this.images += 1;
    const key = JSON.stringify(labels.toSorted());
    const count = this.counts.get(key);
    if (count === undefined && this.kept + labels.length > this.mostKept) return;
    if (count === undefined) this.kept += labels.length;
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

/** The images that have several of these labels. */
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
