import { isListOf, isNothing, isNumber, isOneOf, isOptional, isShape, isString } from '../guards';
import { command, notification, request } from '../protocol';
import {
  predictionShape,
  type PredictionTask,
  predictionTasks,
  type PredictionView,
} from './trials';

/** A label that a model proposes for an image. */
export interface ProposalView extends PredictionView {
  /** Identifies it among the proposals of its image. */
  readonly id: number;
}

/** An image with what a model proposes for it. */
export interface ProposedImage {
  readonly id: string;
  /** Remote text. */
  readonly name: string;
  readonly sizeBytes: number;
  /** The most confident first. */
  readonly proposals: readonly ProposalView[];
}

/** Proposals to review. */
export interface Proposals {
  /** Identifies this run of a model. */
  readonly run: string;
  /** The name and version of the model, which are remote text. */
  readonly model: string;
  readonly task: PredictionTask;
  /** What is still to be reviewed; empty when the review is over. */
  readonly images: readonly ProposedImage[];
  /** The decisions so far; undefined before the first. */
  readonly decisions?: ReviewDecisions | undefined;
}

/** Proposals of an image, by their IDs. */
export interface ProposalIds {
  readonly image: string;
  readonly proposals: readonly number[];
}

/** The decisions of a person in a review. */
export interface ReviewDecisions {
  /** The confidence from which proposals are shown, from 0 to 1. */
  readonly threshold: number;
  readonly accepted: readonly ProposalIds[];
  readonly rejected: readonly ProposalIds[];
}

/** A review whose panel was closed before the accepted labels were saved. */
export interface SuspendedReview {
  readonly run: string;
  /** Says which review it is and what is not saved. */
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
  /** {0} is a number. */
  readonly saveCount: string;
  readonly saving: string;
  readonly close: string;
  /** {0} is how many proposals, {1} how many are accepted, {2} how many are rejected. */
  readonly counts: string;
  readonly keys: string;
  readonly list: string;
  readonly none: string;
  readonly accept: string;
  readonly reject: string;
  /** Names a button: {0} is the proposal in words, {1} the image. */
  readonly acceptOf: string;
  readonly rejectOf: string;
  /** Actions for a suspended review. */
  readonly resume: string;
  readonly resumeHint: string;
  readonly discard: string;
  readonly discardHint: string;
}

const isProposalIds = isListOf(
  isShape<ProposalIds>({ image: isString, proposals: isListOf(isNumber) }),
);

const isDecisions = isShape<ReviewDecisions>({
  ...{ threshold: isNumber, accepted: isProposalIds, rejected: isProposalIds },
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
      ...{ id: isString, name: isString, sizeBytes: isNumber },
      proposals: isListOf(isShape<ProposalView>({ ...predictionShape, id: isNumber })),
    }),
  ),
  decisions: isOptional(isDecisions),
});

/** Messages about proposed labels. `proposed` follows every command that changes what is left to review. */
export const proposalMessages = {
  /** The review that is open, for a page that starts or starts again. */
  openProposals: request(
    isNothing,
    isShape<{ proposals?: Proposals | undefined }>({ proposals: isOptional(isProposals) }),
  ),
  /** Keeps the decisions on the host, which outlives the page. */
  decideProposals: command(
    isShape<{ run: string; decisions: ReviewDecisions }>({ run: isString, decisions: isDecisions }),
  ),
  /** Stores accepted proposals as tags and boxes. */
  saveProposals: command(
    isShape<{ run: string; accepted: readonly ProposalIds[] }>({
      run: isString,
      accepted: isProposalIds,
    }),
  ),
  /** Ends the review; the host asks first when accepted proposals would be lost. */
  closeProposals: command(isShape<{ unsaved: number }>({ unsaved: isNumber })),
  proposed: notification(isProposals),
  /** The suspended review that can be resumed in this panel. `reviewSuspended` tells of every change. */
  suspendedReview: request(isNothing, isSuspended),
  resumeReview: command(isRun),
  discardReview: command(isRun),
  reviewSuspended: notification(isSuspended),
} as const;
