import { hashText } from '../../../simulate/random';

/**
 * Maximum number of images in memory for all groups together. Datasets can contain far more images.
 */
const MAX_BUFFERED = 400_000;
/** Minimum number of images per group, regardless of the number of groups. */
const MIN_PER_GROUP = 20;

interface Candidate {
  readonly id: string;
  readonly rank: number;
}

/**
 * Samples images round-robin by label, with unlabeled images as a separate group, so that a rare
 * label isn't lost among many images with another label. The same seed produces the same sample,
 * regardless of the order of the images. Memory use doesn't grow with the number of images.
 */
export class EvenSample {
  private readonly groups: Candidate[][];
  private readonly maxPerGroup: number;

  /**
   * @param labels number of labels.
   * @param most maximum number of sampled images.
   */
  constructor(
    labels: number,
    private readonly most: number,
    private readonly seed: string,
  ) {
    this.groups = Array.from({ length: labels + 1 }, () => []);
    const share = Math.floor(MAX_BUFFERED / this.groups.length);
    this.maxPerGroup = Math.min(most, Math.max(share, MIN_PER_GROUP));
  }

  /**
   * @param classes indexes of the image's labels; an image with more than one label counts for each
   *   of them.
   */
  add(id: string, classes: readonly number[]): void {
    const candidate = { id, rank: hashText(`${this.seed}/${id}`) };
    const groupIndexes = classes.length > 0 ? classes : [this.groups.length - 1];
    for (const groupIndex of groupIndexes) {
      const group = this.groups[groupIndex];
      group?.push(candidate);
      if (group && group.length >= 2 * this.maxPerGroup) this.shorten(group);
    }
  }

  /** Returns the IDs of the sampled images. Every prefix of the list is also balanced. */
  getSampledIds(): string[] {
    for (const group of this.groups) this.shorten(group);
    let waiting: readonly Candidate[][] = this.groups;
    const taken = new Set<string>();
    for (let turn = 0; waiting.length > 0 && taken.size < this.most; turn += 1) {
      waiting = waiting.filter((group) => group.length > turn);
      for (const group of waiting) {
        const next = group[turn];
        if (next !== undefined && taken.size < this.most) taken.add(next.id);
      }
    }
    return [...taken];
  }

  private shorten(group: Candidate[]): void {
    group.sort((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : 1));
    group.length = Math.min(group.length, this.maxPerGroup);
  }
}
