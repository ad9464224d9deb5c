import { hashOf } from '../../../simulate/random';

/** So many are held of all groups together: datasets may have far more. */
const MOST_HELD = 400_000;
/** However many groups there are. */
const LEAST_OF_GROUP = 20;

interface Candidate {
  readonly id: string;
  readonly rank: number;
}

/**
 * Takes some of many images: of each label and of those without any in turn, so that a rare label is not lost
 * among the many images of another. The same seed takes the same, in whatever order they come. Memory does not
 * grow with the images.
 */
export class EvenSample {
  private readonly groups: Candidate[][];
  private readonly mostOfGroup: number;

  /**
   * @param labels how many there are.
   * @param most how many images are taken at most.
   */
  constructor(
    labels: number,
    private readonly most: number,
    private readonly seed: string,
  ) {
    this.groups = Array.from({ length: labels + 1 }, () => []);
    const share = Math.floor(MOST_HELD / this.groups.length);
    this.mostOfGroup = Math.min(most, Math.max(share, LEAST_OF_GROUP));
  }

  /** @param classes the places of its labels; one with several is with each of them. */
  add(id: string, classes: readonly number[]): void {
    const candidate = { id, rank: hashOf(`${this.seed}/${id}`) };
    const places = classes.length > 0 ? classes : [this.groups.length - 1];
    for (const place of places) {
      const group = this.groups[place];
      group?.push(candidate);
      if (group && group.length >= 2 * this.mostOfGroup) this.shorten(group);
    }
  }

  /** The ids of those that are taken. The first of them, however many, are even as well. */
  taken(): string[] {
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
    group.length = Math.min(group.length, this.mostOfGroup);
  }
}
