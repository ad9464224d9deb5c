import { isListOf, isUndefined, isNumber, isOneOf, isOptional, isShape, isString } from '../guards';
import { command, notification, request } from '../protocol';
import {
  predictionShape,
  type PredictionTask,
  predictionTasks,
  type PredictionView,
} from './trials';

/** A label that a model proposes for an image. */
export interface ProposalView extends PredictionView {
  /** ID of the proposal, unique within its image. */
  readonly id: number;
}

/** An image with a model's proposals for it. */
export interface ProposedImage {
  readonly id: string;
  /** Name of the image, which is untrusted text. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Proposals for the image, most confident first. */
  readonly proposals: readonly ProposalView[];
}

/** Proposals to review. */
export interface Proposals {
  /** Identifies the run of the model that produced the proposals. */
  readonly run: string;
  /** Name and version of the model, which are untrusted text. */
  readonly model: string;
  readonly task: PredictionTask;
  /** Images that still have to be reviewed; empty when the review is complete. */
  readonly images: readonly ProposedImage[];
  /** Decisions so far; undefined before the first decision. */
  readonly decisions?: ReviewDecisions | undefined;
}

/** Proposals of one image, identified by their IDs. */
export interface ProposalIds {
  readonly image: string;
  readonly proposals: readonly number[];
}

/** The user's decisions in a review. */
export interface ReviewDecisions {
  /** Minimum confidence of visible proposals, from 0 to 1. */
  readonly threshold: number;
  readonly accepted: readonly ProposalIds[];
  readonly rejected: readonly ProposalIds[];
}

/** A review whose panel was closed before the accepted labels were saved. */
export interface SuspendedReview {
  readonly run: string;
  /** Description of the review and of its unsaved changes. */
  readonly text: string;
}

/** Strings for the review of proposals. */
export interface ProposalStrings {
  /** {0} is the model. */
  readonly heading: string;
  readonly tools: string;
  readonly threshold: string;
  readonly thresholdHint: string;
  readonly acceptAll: string;
  readonly acceptAllHint: string;
  readonly save: string;
  /** {0} is the number of accepted proposals. */
  readonly saveCount: string;
  readonly saving: string;
  readonly close: string;
  /**
   * {0} is the number of proposals, {1} the number of accepted ones, {2} the number of rejected
   * ones.
   */
  readonly counts: string;
  readonly keys: string;
  readonly list: string;
  readonly none: string;
  readonly accept: string;
  readonly reject: string;
  /** Label of a button: {0} is the description of the proposal, {1} the image. */
  readonly acceptLabel: string;
  readonly rejectLabel: string;
  /** Labels of the actions for a suspended review. */
  readonly resume: string;
  readonly resumeHint: string;
  readonly discard: string;
  readonly discardHint: string;
}

const isProposalIds = isListOf(
  isShape<ProposalIds>({ image: isString, proposals: isListOf(isNumber) }),
);

const isDecisions = isShape<ReviewDecisions>({
  threshold: isNumber,
  accepted: isProposalIds,
  rejected: isProposalIds,
});

const isSuspended = isShape<{ suspended?: SuspendedReview | undefined }>({
  suspended: isOptional(isShape<SuspendedReview>({ run: isString, text: isString })),
});

const isRun = isShape<{ run: string }>({ run: isString });

export const isProposals = isShape<Proposals>({
  run: isString,
  model: isString,
  task: isOneOf(...predictionTasks),
  images: isListOf(
    isShape<ProposedImage>({
      id: isString,
      name: isString,
      sizeBytes: isNumber,
      proposals: isListOf(isShape<ProposalView>({ ...predictionShape, id: isNumber })),
    }),
  ),
  decisions: isOptional(isDecisions),
});

/**
 * Messages about proposed labels. Every command that changes the remaining proposals is followed by
 * `proposed`.
 */
export const proposalMessages = {
  /** Returns the open review when a page starts or restarts. */
  openProposals: request(
    isUndefined,
    isShape<{ proposals?: Proposals | undefined }>({ proposals: isOptional(isProposals) }),
  ),
  /** Stores the decisions on the host, where they aren't lost when the page is closed. */
  decideProposals: command(
    isShape<{ run: string; decisions: ReviewDecisions }>({ run: isString, decisions: isDecisions }),
  ),
  /** Saves accepted proposals as tags and boxes. */
  saveProposals: command(
    isShape<{ run: string; accepted: readonly ProposalIds[] }>({
      run: isString,
      accepted: isProposalIds,
    }),
  ),
  /** Closes the review. The host prompts for confirmation if accepted proposals would be lost. */
  closeProposals: command(isShape<{ unsaved: number }>({ unsaved: isNumber })),
  proposed: notification(isProposals),
  /**
   * Returns the suspended review that can be resumed in this panel. Changes are reported by
   * `reviewSuspended`.
   */
  suspendedReview: request(isUndefined, isSuspended),
  resumeReview: command(isRun),
  discardReview: command(isRun),
  reviewSuspended: notification(isSuspended),
} as const;
