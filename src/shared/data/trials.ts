import {
  type Guarded,
  isListOf,
  isNumber,
  isOneOf,
  isOptional,
  isShape,
  isString,
} from '../guards';
import { request } from '../protocol';
import { isCorners } from './boxes';

/** Kinds of model output by task: one label, any number of labels, or boxes. */
export const predictionTasks = [
  'singleLabelClassification',
  'multiLabelClassification',
  'objectDetection',
] as const;

/** Guards for the members of a `PredictionView`. */
export const predictionShape = {
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
