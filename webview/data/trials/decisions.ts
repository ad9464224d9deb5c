import type {
  AcceptedProposals,
  ProposalView,
  ProposedImage,
  Proposals,
} from '../../../src/shared/data/proposals';
import { isListOf, isNumber, isShape, isString } from '../../../src/shared/guards';
import type { KeptViews } from '../../ui/keptViews';

export type Decision = 'accepted' | 'rejected';

/** The decisions of a person, for a page that starts again. */
interface KeptDecisions {
  readonly run: string;
  readonly threshold: number;
  readonly accepted: readonly string[];
  readonly rejected: readonly string[];
}

const isKept = isShape<KeptDecisions>({
  ...{ run: isString, threshold: isNumber },
  ...{ accepted: isListOf(isString), rejected: isListOf(isString) },
});

const PART = 'review';
const DEFAULT_THRESHOLD = 0.5;

/** An image and those of its proposals that are shown. */
export interface ShownImage extends ProposedImage {
  readonly shown: readonly ProposalView[];
}

/** Proposals with the decision of a person about each, and the confidence from which they are shown. */
export class Decisions {
  private readonly made = new Map<string, Decision>();
  private value: number;

  constructor(
    private proposals: Proposals,
    private readonly kept: KeptViews,
  ) {
    const before = kept.get(PART);
    const known = isKept(before) && before.run === proposals.run ? before : undefined;
    this.value = known?.threshold ?? DEFAULT_THRESHOLD;
    for (const key of known?.accepted ?? []) this.made.set(key, 'accepted');
    for (const key of known?.rejected ?? []) this.made.set(key, 'rejected');
  }

  get run(): string {
    return this.proposals.run;
  }

  get threshold(): number {
    return this.value;
  }

  /** Shows proposals from another confidence on; from 0 to 1. */
  setThreshold(value: number): void {
    this.value = value;
    this.keep();
  }

  /** Takes over what is left of the same run. */
  update(proposals: Proposals): void {
    this.proposals = proposals;
    this.keep();
  }

  of(image: string, proposal: number): Decision | undefined {
    return this.made.get(keyOf(image, proposal));
  }

  /** @param decision undefined to decide later */
  decide(image: string, proposal: number, decision: Decision | undefined): void {
    const key = keyOf(image, proposal);
    if (decision) this.made.set(key, decision);
    else this.made.delete(key);
    this.keep();
  }

  /** Accepts everything that is shown and was not rejected. */
  acceptAll(): void {
    for (const { id, shown } of this.images) {
      for (const proposal of shown) {
        if (!this.of(id, proposal.id)) this.made.set(keyOf(id, proposal.id), 'accepted');
      }
    }
    this.keep();
  }

  /** The images with proposals that are confident enough, or accepted before the threshold was raised. */
  get images(): readonly ShownImage[] {
    return this.proposals.images
      .map((image) => ({
        ...image,
        shown: image.proposals.filter(
          ({ id, confidence }) => confidence >= this.value || this.of(image.id, id) === 'accepted',
        ),
      }))
      .filter(({ shown }) => shown.length > 0);
  }

  get accepted(): readonly AcceptedProposals[] {
    return this.proposals.images
      .map(({ id, proposals }) => ({
        image: id,
        proposals: proposals
          .filter((proposal) => this.of(id, proposal.id) === 'accepted')
          .map((proposal) => proposal.id),
      }))
      .filter(({ proposals }) => proposals.length > 0);
  }

  private keep(): void {
    const isOver = this.proposals.images.length === 0;
    const keys = (wanted: Decision): readonly string[] =>
      [...this.made].filter(([, decision]) => decision === wanted).map(([key]) => key);
    const kept: KeptDecisions = {
      ...{ run: this.run, threshold: this.value },
      ...{ accepted: keys('accepted'), rejected: keys('rejected') },
    };
    this.kept.set(PART, isOver ? undefined : kept);
  }
}

function keyOf(image: string, proposal: number): string {
  return `${String(proposal)} ${image}`;
}
