import { type Clock, systemClock } from '../../../../base/clock';
import type { BinaryDataId } from '../../../../core/model/ids';
import type { TrialModel } from '../../../../core/model/modelTrial';
import { TRAINING_TASKS } from '../../../../core/model/trainingJob';
import type { KeyValue, Logger } from '../../../../core/ports';
import { type DataFilter, isDataFilter } from '../../../../shared/data/dataFilter';
import { isProposals, type Proposals } from '../../../../shared/data/proposals';
import {
  type Guarded,
  isListOf,
  isNumber,
  isOneOf,
  isShape,
  isString,
} from '../../../../shared/guards';
import { describedPanel, describePanel, type PanelStart } from '../panelDescription';

/** Stored state of a review. */
export interface ReviewState {
  /** Proposals with their decisions. */
  readonly proposals: Proposals;
  readonly model: Pick<TrialModel, 'task' | 'labels'>;
  /** Images that remain to be reviewed. */
  readonly items: readonly ReviewedItem[];
}

interface StoredReview extends ReviewState {
  readonly panel: string;
  readonly filter: DataFilter;
  /** Time of the last change, in milliseconds since 1970. */
  readonly changedAt: number;
}

const isReviewedItem = isShape({
  id: (value): value is BinaryDataId => isString(value),
  /** Time in microseconds since 1970. */
  at: isNumber,
  fileName: isString,
  fileExtension: isString,
  source: isShape({ componentName: isString }),
});
/** Image in a review, with the properties that identify it in reports. */
export type ReviewedItem = Guarded<typeof isReviewedItem>;

const isStoredReview = isShape<StoredReview>({
  proposals: isProposals,
  model: isShape<ReviewState['model']>({
    task: isOneOf(...TRAINING_TASKS),
    labels: isListOf(isString),
  }),
  items: isListOf(isReviewedItem),
  panel: isString,
  filter: isDataFilter,
  changedAt: isNumber,
});

const KEY = 'data.suspendedReviews';
/**
 * Maximum total length of the stored reviews in characters. VS Code writes a workspace's entire
 * storage for every change.
 */
const MAX_CHARACTERS = 1_000_000;
const MAX_REVIEWS = 5;
const MAX_AGE_MS = 30 * 24 * 60 * 60_000;

/**
 * Reviews with unsaved accepted labels, stored across window reloads. Stores at most five reviews
 * and one megabyte in total, and drops the oldest reviews first. Drops reviews that haven't changed
 * for 30 days.
 */
export class StoredReviews {
  /** Reviews that are stored, or that the next write stores. */
  private reviews: readonly StoredReview[];
  private isStale = false;
  private isWriting = false;
  /** Stored length of each review, in characters. */
  private readonly lengths = new WeakMap<StoredReview, number>();
  /** Runs whose reviews were not stored. */
  private readonly lost = new Set<string>();

  constructor(
    private readonly storage: KeyValue,
    private readonly log: Pick<Logger, 'warn'>,
    private readonly clock: Clock = systemClock,
  ) {
    const stored = storage.get(KEY);
    const known = Array.isArray(stored) ? stored.filter(isStoredReview) : [];
    const oldest = clock.now().getTime() - MAX_AGE_MS;
    this.reviews = known.filter(({ changedAt }) => changedAt >= oldest);
    if (this.reviews.length < known.length) void this.write(this.reviews);
  }

  /** Returns the stored reviews with their panels. */
  list(): readonly { readonly state: ReviewState; readonly panel: PanelStart }[] {
    return this.reviews.flatMap(({ panel, filter, proposals, model, items }) => {
      const described = describedPanel(panel);
      const state = { proposals, model, items };
      return described ? [{ state, panel: { ...described, filter, tab: 'images' as const } }] : [];
    });
  }

  save(state: ReviewState, panel: PanelStart): void {
    const { filter } = panel;
    const { run } = state.proposals;
    const others = this.reviews.filter(({ proposals }) => proposals.run !== run);
    const before = this.reviews.find(({ proposals }) => proposals.run === run);
    // Offering a review again doesn't make it newer.
    const isSame = before && JSON.stringify(before.proposals) === JSON.stringify(state.proposals);
    const changedAt = isSame ? before.changedAt : this.clock.now().getTime();
    void this.write([...others, { ...state, panel: describePanel(panel), filter, changedAt }]);
  }

  remove(run: string): void {
    const others = this.reviews.filter(({ proposals }) => proposals.run !== run);
    if (others.length < this.reviews.length) void this.write(others);
  }

  /**
   * Stores reviews. Writes are slow, and decisions can follow in quick succession, so only the
   * latest state is queued during a write.
   */
  private async write(reviews: readonly StoredReview[]): Promise<void> {
    this.reviews = reviews;
    this.isStale = true;
    if (this.isWriting) return;
    this.isWriting = true;
    while (this.isStale) {
      this.isStale = false;
      this.reviews = this.takeFitting(this.reviews);
      const stored = this.reviews.length > 0 ? this.reviews : undefined;
      try {
        await this.storage.update(KEY, stored);
      } catch {
        // A review that can't be stored remains in memory until the window closes.
      }
    }
    this.isWriting = false;
  }

  /** Returns the newest reviews, as many as can be stored. */
  private takeFitting(reviews: readonly StoredReview[]): readonly StoredReview[] {
    const fitting: StoredReview[] = [];
    let characters = 0;
    for (const review of reviews.toReversed()) {
      const length = this.measure(review);
      if (fitting.length === MAX_REVIEWS || characters + length > MAX_CHARACTERS) {
        this.warn(review, length);
        continue;
      }
      characters += length;
      fitting.unshift(review);
      this.lost.delete(review.proposals.run);
    }
    return fitting;
  }

  private measure(review: StoredReview): number {
    const length = this.lengths.get(review) ?? JSON.stringify(review).length;
    this.lengths.set(review, length);
    return length;
  }

  /** Warns once, because each decision stores the review again. */
  private warn({ proposals }: StoredReview, characters: number): void {
    const { run } = proposals;
    if (this.lost.has(run)) return;
    this.lost.add(run);
    this.log.warn('A review of proposed labels is not stored and ends with the window', {
      run,
      characters,
      images: proposals.images.length,
      maxCharacters: MAX_CHARACTERS,
      maxReviews: MAX_REVIEWS,
    });
  }
}
