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
}

/** Accepted proposals of an image, by their IDs. */
export interface AcceptedProposals {
  readonly image: string;
  readonly proposals: readonly number[];
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
}

const isProposals = isShape<Proposals>({
  run: isString,
  model: isString,
  task: isOneOf(...predictionTasks),
  images: isListOf(
    isShape<ProposedImage>({
      ...{ id: isString, name: isString, sizeBytes: isNumber },
      proposals: isListOf(isShape<ProposalView>({ ...predictionShape, id: isNumber })),
    }),
  ),
});

/** Messages about proposed labels. `proposed` follows every command. */
export const proposalMessages = {
  /** The review that is open, for a page that starts again. */
  openProposals: request(
    isNothing,
    isShape<{ proposals?: Proposals | undefined }>({ proposals: isOptional(isProposals) }),
  ),
  /** Stores accepted proposals as tags and boxes. */
  saveProposals: command(
    isShape<{ run: string; accepted: readonly AcceptedProposals[] }>({
      run: isString,
      accepted: isListOf(
        isShape<AcceptedProposals>({ image: isString, proposals: isListOf(isNumber) }),
      ),
    }),
  ),
  /** Ends the review; the host asks first when accepted proposals would be lost. */
  closeProposals: command(isShape<{ unsaved: number }>({ unsaved: isNumber })),
  proposed: notification(isProposals),
} as const;
