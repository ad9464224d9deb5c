import { isListOf, isNumber, isOneOf, isOptional, isShape, isString } from '../guards';
import { request } from '../protocol';
import { type Corners, isCorners } from './boxes';

/** Kinds of model output by task: one label, any number of labels, or boxes. */
export const predictionTasks = [
  'singleLabelClassification',
  'multiLabelClassification',
  'objectDetection',
] as const;
export type PredictionTask = (typeof predictionTasks)[number];

/** A predicted label, with its position if the model is a detector. */
export interface PredictionView {
  /** Label, which is untrusted text. */
  readonly label: string;
  /** Confidence from 0 to 1. */
  readonly confidence: number;
  readonly box?: Corners | undefined;
}

/** A model's predictions for one image. */
export interface TrialView {
  /** Name and version of the model, which are untrusted text. */
  readonly model: string;
  readonly task: PredictionTask;
  /** Predictions, most confident first. */
  readonly predictions: readonly PredictionView[];
}

/** The guards of the members of a `PredictionView`. */
export const predictionShape = {
  label: isString,
  confidence: isNumber,
  box: isOptional(isCorners),
} as const;

const isTrialView = isShape<TrialView>({
  model: isString,
  task: isOneOf(...predictionTasks),
  predictions: isListOf(isShape<PredictionView>(predictionShape)),
});

/** Strings for trying a model on an image. */
export interface TrialStrings {
  readonly tryModel: string;
  readonly tryModelHint: string;
  /** {0} is the model. */
  readonly heading: string;
  readonly notStored: string;
  /** Shown for a detector that finds no objects. */
  readonly nothingFound: string;
  readonly moreLabel: string;
  /** {0} is the number of additional labels. */
  readonly moreLabels: string;
  /** Description of a prediction: {0} is the label, {1} the confidence as a percentage. */
  readonly prediction: string;
  readonly close: string;
  /** Heading of an error message. */
  readonly failed: string;
}

/** Messages about trying models. */
export const trialMessages = {
  /** Prompts for a model and runs it on an image. Fails with `canceled` if the user cancels. */
  tryModel: request(isShape<{ id: string }>({ id: isString }), isTrialView),
} as const;
