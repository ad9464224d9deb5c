import type { TrainingTask } from '../../../core/model/trainingJob';
import { counted } from './formatQuantity';
import { type ImageChoice, TrainingError, type TrainingLine } from '../trainingRunner';
import { megapixelsIn, readAnnotatedImage } from './annotatedImage';
import {
  describeMissingExamples,
  ExampleTally,
  MIN_EXAMPLES,
  seenFor,
  type SkipReason,
} from './examples';
import { hashText } from '../../../simulate/random';

/** Constant, so that the same images are selected from the same dataset. */
const SEED = 'fleetwright training';

/** Limits on the images that a training job uses. */
export interface ChoiceLimits {
  readonly images: number;
  /** Maximum total number of megapixels in the images. */
  readonly megapixels: number;
}

/** Selects the images for a managed training job, balanced by label. */
export class ManagedChoice implements ImageChoice {
  private readonly inspect: ReturnType<typeof seenFor>;
  private readonly tally: ExampleTally;
  private readonly sample: EvenSample;
  /**
   * Number of images that are always selected. Because sampling is round-robin, these include
   * enough images for each label.
   */
  private readonly minImages: number;
  private sampledCount = 0;
  private taken = 0;
  private megapixels = 0;
  private isCut = false;

  constructor(
    private readonly task: TrainingTask,
    private readonly labels: readonly string[],
    private readonly limits: ChoiceLimits,
  ) {
    this.minImages = MIN_EXAMPLES.images * (labels.length + 1);
    this.inspect = seenFor(task, labels);
    this.tally = new ExampleTally(task, labels.length);
    this.sample = new EvenSample(labels.length, limits.images, SEED);
  }

  consider(id: string, line: string): void {
    const image = readAnnotatedImage(line);
    if (image === undefined) return;
    const seen = this.inspect(image);
    this.tally.add(seen);
    if (seen.skipReason === undefined) this.sample.add(id, seen.example.classes);
  }

  chosen(): readonly string[] {
    const problem = describeMissingExamples(this.tally, this.task, this.labels);
    if (problem !== undefined) throw new TrainingError(problem);
    const { images } = this.limits;
    if (this.tally.images > images && this.minImages > images) throw this.tooManyLabels();
    const ids = this.sample.getSampledIds();
    this.sampledCount = ids.length;
    return ids;
  }

  async hasRoomFor(file: string): Promise<boolean> {
    const megapixels = await megapixelsIn(file);
    const isLarge = this.megapixels + megapixels > this.limits.megapixels;
    this.isCut = isLarge && this.taken >= this.minImages;
    if (this.isCut) return false;
    this.megapixels += megapixels;
    this.taken += 1;
    return true;
  }

  toLogLines(taken: number): readonly TrainingLine[] {
    const { images, skipped } = this.tally;
    const lines: TrainingLine[] = [...skipped].map(([reason, count]) => ({
      level: 'info',
      message: describeSkipped(reason, count),
    }));
    if (!this.isCut && this.sampledCount >= images) return lines;
    const why = this.isCut
      ? `they are large, and training reads at most about ${String(this.limits.megapixels)} megapixels. It reads more images if they are smaller`
      : "training can't use more";
    const message = `Using ${String(taken)} of ${String(images)} usable images, with an equal number for each label where possible: ${why}.`;
    return [...lines, { level: 'warn', message }];
  }

  private tooManyLabels(): TrainingError {
    return new TrainingError(
      `Training uses at most ${String(this.limits.images)} images, which is too few for ${String(this.labels.length)} labels. Submit the job with fewer labels.`,
    );
  }
}

const REASONS: Readonly<Record<SkipReason, string>> = {
  noLabel: 'without a label',
  noneOfLabels: 'without a label of this job',
  severalLabels: 'with several of the labels',
  noBox: 'without a box',
};

function describeSkipped(reason: SkipReason, count: number): string {
  const are = count === 1 ? 'is' : 'are';
  return `${counted(count, 'image')} ${REASONS[reason]} ${are} skipped.`;
}

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
 * regardless of image order. Memory use doesn't grow with the number of images.
 */
export class EvenSample {
  private readonly groups: Candidate[][];
  private readonly maxPerGroup: number;

  /**
   * @param labels number of labels.
   * @param max maximum number of sampled images.
   */
  constructor(
    labels: number,
    private readonly max: number,
    private readonly seed: string,
  ) {
    this.groups = Array.from({ length: labels + 1 }, () => []);
    const share = Math.floor(MAX_BUFFERED / this.groups.length);
    this.maxPerGroup = Math.min(max, Math.max(share, MIN_PER_GROUP));
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
    for (let turn = 0; waiting.length > 0 && taken.size < this.max; turn += 1) {
      waiting = waiting.filter((group) => group.length > turn);
      for (const group of waiting) {
        const next = group[turn];
        if (next !== undefined && taken.size < this.max) taken.add(next.id);
      }
    }
    return [...taken];
  }

  private shorten(group: Candidate[]): void {
    group.sort((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : 1));
    group.length = Math.min(group.length, this.maxPerGroup);
  }
}
