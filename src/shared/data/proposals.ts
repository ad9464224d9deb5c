import {
  type Guarded,
  isListOf,
  isNumber,
  isOneOf,
  isOptional,
  isShape,
  isString,
  isUndefined,
} from '../guards';
import { command, notification, request } from '../protocol';
import { isCorners } from './boxes';

/** Kinds of model output by task: one label, any number of labels, or boxes. */
const predictionTasks = [
  'singleLabelClassification',
  'multiLabelClassification',
  'objectDetection',
] as const;

/** Guards for the members of a `PredictionView`. */
const predictionShape = {
  /** Label, which is untrusted text. */
  label: isString,
  /** Confidence from 0 to 1. */
  confidence: isNumber,
  box: isOptional(isCorners),
} as const;
const isPredictionView = isShape(predictionShape);
/** A predicted label, with its position if the model is a detector. */
export type PredictionView = Guarded<typeof isPredictionView>;

const isTrialView = isShape({
  /** Name and version of the model, which are untrusted text. */
  model: isString,
  task: isOneOf(...predictionTasks),
  /** Minimum confidence of a detected box. */
  minConfidence: isNumber,
  /** Predictions, most confident first. */
  predictions: isListOf(isPredictionView),
});
/** A model's predictions for one image. */
export type TrialView = Guarded<typeof isTrialView>;

/** Messages about trying models. */
export const trialMessages = {
  /** Prompts for a model and runs it on an image. Fails with `canceled` if the user cancels. */
  tryModel: request(isShape({ id: isString }), isTrialView),
} as const;

const isProposalView = isShape({
  ...predictionShape,
  /** ID of the proposal, unique within its image. */
  id: isNumber,
});
/** A label that a model proposes for an image. */
export type ProposalView = Guarded<typeof isProposalView>;

const isImageProposalIds = isShape({
  image: isString,
  proposals: isListOf(isNumber),
});
/** Proposals for one image, identified by their IDs. */
export type ProposalIds = Guarded<typeof isImageProposalIds>;

const isProposalIds = isListOf(isImageProposalIds);

const isDecisions = isShape({
  /** Minimum confidence of visible proposals, from 0 to 1. */
  threshold: isNumber,
  accepted: isProposalIds,
  rejected: isProposalIds,
});
/** The user's decisions in a review. */
export type ReviewDecisions = Guarded<typeof isDecisions>;

const isSuspendedReview = isShape({
  run: isString,
  /** Description of the review and its unsaved changes. */
  text: isString,
});
/** A review whose panel was closed before the accepted labels were saved. */
export type SuspendedReview = Guarded<typeof isSuspendedReview>;

const isSuspended = isShape({
  suspended: isOptional(isSuspendedReview),
});

const isRun = isShape({ run: isString });

const isProposedImage = isShape({
  id: isString,
  /** Name of the image, which is untrusted text. */
  name: isString,
  sizeBytes: isNumber,
  /** Proposals for the image, most confident first. */
  proposals: isListOf(isProposalView),
});
/** An image with a model's proposals for it. */
export type ProposedImage = Guarded<typeof isProposedImage>;

export const isProposals = isShape({
  /** Identifies the model run that produced the proposals. */
  run: isString,
  /** Name and version of the model, which are untrusted text. */
  model: isString,
  task: isOneOf(...predictionTasks),
  /** Images that still have to be reviewed; empty when the review is complete. */
  images: isListOf(isProposedImage),
  /** Decisions so far; undefined before the first decision. */
  decisions: isOptional(isDecisions),
});
/** Proposals to review. */
export type Proposals = Guarded<typeof isProposals>;

/**
 * Messages about proposed labels. Every command that changes the remaining proposals is followed by
 * `proposed`.
 */
export const proposalMessages = {
  /** Returns the open review when a page starts or restarts. */
  openProposals: request(isUndefined, isShape({ proposals: isOptional(isProposals) })),
  /** Stores the decisions on the host, where they aren't lost when the page is closed. */
  decideProposals: command(isShape({ run: isString, decisions: isDecisions })),
  /** Saves accepted proposals as tags and boxes. */
  saveProposals: command(
    isShape({
      run: isString,
      accepted: isProposalIds,
    }),
  ),
  /** Closes the review. The host prompts for confirmation if accepted proposals would be lost. */
  closeProposals: command(isShape({ unsaved: isNumber })),
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
