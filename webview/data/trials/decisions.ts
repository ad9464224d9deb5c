import type {
  ProposalIds,
  Proposals,
  ProposalView,
  ProposedImage,
  ReviewDecisions,
} from '../../../src/shared/data/proposals';

export type Decision = 'accepted' | 'rejected';

const DEFAULT_THRESHOLD = 0.5;

/** An image and its visible proposals. */
export interface ShownImage extends ProposedImage {
  readonly shown: readonly ProposalView[];
}

/** Proposals, the user's decision on each proposal, and the confidence threshold. */
export class Decisions {
  private readonly made = new Map<string, Decision>();
  private value: number;

  /** @param changed called with the decisions after each change by the user */
  constructor(
    private proposals: Proposals,
    private readonly changed: (decisions: ReviewDecisions) => void,
  ) {
    const { threshold, accepted = [], rejected = [] } = proposals.decisions ?? {};
    this.value = threshold ?? DEFAULT_THRESHOLD;
    this.restore(accepted, 'accepted');
    this.restore(rejected, 'rejected');
  }

  get run(): string {
    return this.proposals.run;
  }

  get threshold(): number {
    return this.value;
  }

  /** Sets the minimum confidence of visible proposals, from 0 to 1. */
  setThreshold(value: number): void {
    this.value = value;
    this.report();
  }

  /** Replaces the proposals with the remaining proposals from the same run. */
  update(proposals: Proposals): void {
    this.proposals = proposals;
  }

  of(image: string, proposal: number): Decision | undefined {
    return this.made.get(toDecisionKey(image, proposal));
  }

  /**
   * Sets the decision on a proposal.
   * @param decision undefined to decide later
   */
  decide(image: string, proposal: number, decision: Decision | undefined): void {
    const key = toDecisionKey(image, proposal);
    if (decision) this.made.set(key, decision);
    else this.made.delete(key);
    this.report();
  }

  /** Accepts all visible proposals that the user hasn't rejected. */
  acceptAll(): void {
    for (const { id, shown } of this.images) {
      for (const proposal of shown) {
        if (!this.of(id, proposal.id)) this.made.set(toDecisionKey(id, proposal.id), 'accepted');
      }
    }
    this.report();
  }

  /**
   * Images with proposals above the threshold or with proposals that the user accepted before
   * raising the threshold.
   */
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

  get accepted(): readonly ProposalIds[] {
    return this.decided('accepted');
  }

  private decided(decision: Decision): readonly ProposalIds[] {
    return this.proposals.images
      .map(({ id, proposals }) => ({
        image: id,
        proposals: proposals
          .filter((proposal) => this.of(id, proposal.id) === decision)
          .map((proposal) => proposal.id),
      }))
      .filter(({ proposals }) => proposals.length > 0);
  }

  private restore(ids: readonly ProposalIds[], decision: Decision): void {
    for (const { image, proposals } of ids) {
      for (const id of proposals) this.made.set(toDecisionKey(image, id), decision);
    }
  }

  private report(): void {
    const { threshold, accepted } = this;
    this.changed({ threshold, accepted, rejected: this.decided('rejected') });
  }
}

function toDecisionKey(image: string, proposal: number): string {
  return `${String(proposal)} ${image}`;
}
