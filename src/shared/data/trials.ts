import { isListOf, isNumber, isOneOf, isOptional, isShape, isString } from '../guards';
import { request } from '../protocol';
import { type Corners, isCorners } from './boxes';

/** What a model of a task tells of an image: one label, any number of labels, or boxes. */
export const predictionTasks = [
  'singleLabelClassification',
  'multiLabelClassification',
  'objectDetection',
] as const;
export type PredictionTask = (typeof predictionTasks)[number];

/** A label that a model predicts, and where a detector finds it. */
export interface PredictionView {
  /** Remote text. */
  readonly label: string;
  /** From 0 to 1. */
  readonly confidence: number;
  readonly box?: Corners | undefined;
}

/** The predictions of a model for one image. */
export interface TrialView {
  /** The name and version of the model, which are remote text. */
  readonly model: string;
  readonly task: PredictionTask;
  /** The most confident first. */
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

/** Strings for the predictions of a model that is tried. */
export interface TrialStrings {
  readonly tryModel: string;
  readonly tryModelHint: string;
  /** {0} is the model. */
  readonly heading: string;
  readonly notStored: string;
  /** Of a detector. */
  readonly nothingFound: string;
  readonly moreLabel: string;
  /** {0} is a number. */
  readonly moreLabels: string;
  /** A prediction in words: {0} is the label, {1} the percentage. */
  readonly prediction: string;
  readonly close: string;
  /** The heading of an error. */
  readonly failed: string;
}

/** Messages about trying models. */
export const trialMessages = {
  /** Prompts for a model and runs it on an image. Fails with `canceled` when the person leaves. */
  tryModel: request(isShape<{ id: string }>({ id: isString }), isTrialView),
} as const;
