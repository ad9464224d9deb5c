import type { BinaryDataId } from '../../../../core/model/ids';
import type { TrialModel } from '../../../../core/model/modelTrial';
import { TRAINING_TASKS } from '../../../../core/model/trainingTask';
import type { KeyValue } from '../../../../core/ports';
import { type DataFilter, isDataFilter } from '../../../../shared/data/dataFilter';
import { isProposals, type Proposals } from '../../../../shared/data/proposals';
import { isListOf, isNumber, isOneOf, isShape, isString } from '../../../../shared/guards';
import type { PanelStart } from '../dataLink';
import { describedPanel, describePanel } from '../panelDescription';

/** An image of a review, with what reports call it by. */
export interface ReviewedItem {
  readonly id: BinaryDataId;
  /** In microseconds since 1970. */
  readonly at: number;
  readonly fileName: string;
  readonly fileExtension: string;
  readonly source: { readonly componentName: string };
}

/** A review as it is stored. */
export interface ReviewState {
  /** With the decisions. */
  readonly proposals: Proposals;
  readonly model: Pick<TrialModel, 'task' | 'labels'>;
  /** The images that are left. */
  readonly items: readonly ReviewedItem[];
}

interface StoredReview extends ReviewState {
  readonly panel: string;
  readonly filter: DataFilter;
}

const isStoredReview = isShape<StoredReview>({
  proposals: isProposals,
  model: isShape<ReviewState['model']>({
    task: isOneOf(...TRAINING_TASKS),
    labels: isListOf(isString),
  }),
  items: isListOf(
    isShape<ReviewedItem>({
      id: (value): value is BinaryDataId => isString(value),
      ...{ at: isNumber, fileName: isString, fileExtension: isString },
      source: isShape<ReviewedItem['source']>({ componentName: isString }),
    }),
  ),
  panel: isString,
  filter: isDataFilter,
});

const KEY = 'data.suspendedReviews';
/** VS Code writes all that a workspace stores at once. */
const MAX_CHARACTERS = 1_000_000;
const MAX_REVIEWS = 5;

/**
 * Reviews with accepted labels that are not saved, for when the window is reloaded. At most five, and a megabyte
 * together: the oldest are dropped.
 */
export class StoredReviews {
  /** Reviews as they were last stored. */
  private reviews: readonly StoredReview[];
  private writing = Promise.resolve();

  constructor(private readonly storage: KeyValue) {
    const stored = storage.get(KEY);
    this.reviews = Array.isArray(stored) ? stored.filter(isStoredReview) : [];
  }

  /** Stored reviews with their panels. */
  list(): readonly { readonly state: ReviewState; readonly panel: PanelStart }[] {
    return this.reviews.flatMap(({ panel, filter, ...state }) => {
      const described = describedPanel(panel);
      return described ? [{ state, panel: { ...described, filter, tab: 'images' as const } }] : [];
    });
  }

  save(state: ReviewState, panel: PanelStart): void {
    const { filter } = panel;
    const others = this.reviews.filter(({ proposals }) => proposals.run !== state.proposals.run);
    this.write([...others, { ...state, panel: describePanel(panel), filter }]);
  }

  remove(run: string): void {
    const others = this.reviews.filter(({ proposals }) => proposals.run !== run);
    if (others.length < this.reviews.length) this.write(others);
  }

  private write(reviews: readonly StoredReview[]): void {
    const kept: StoredReview[] = [];
    let characters = 0;
    for (const review of reviews.toReversed()) {
      const { length } = JSON.stringify(review);
      if (kept.length === MAX_REVIEWS || characters + length > MAX_CHARACTERS) continue;
      characters += length;
      kept.unshift(review);
    }
    this.reviews = kept;
    // One after the other, so that the last one stays. What cannot be stored is kept until the window closes.
    this.writing = this.writing
      .then(() => this.storage.update(KEY, kept.length > 0 ? kept : undefined))
      .catch(() => undefined);
  }
}
