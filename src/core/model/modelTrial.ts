import type { BoxCorners } from './binaryItem';
import type { TrainingTask } from './trainingJob';

/** Model that the fleet service trained itself, which users can try on individual images. */
export interface TrialModel {
  readonly task: TrainingTask;
  /** Labels, in the order of the model's outputs. */
  readonly labels: readonly string[];
  /** Shape of each array of weights, in the order in which the arrays are stored. */
  readonly shapes: readonly (readonly number[])[];
  /** Weights as 32-bit floats in Base64, one array after the other. */
  readonly weights: string;
}

/** Minimum score of the detections that detectors of the fleet service report. */
export const MIN_DETECTION_SCORE = 0.3;

/** A model's prediction for an image: a label and, from a detector, the object's position. */
export interface Prediction {
  readonly label: string;
  /** Confidence from 0 to 1. */
  readonly confidence: number;
  /** The object's position; present only from a detector. */
  readonly box?: BoxCorners | undefined;
}

/** First line that is sent to the process that tries a model. */
export interface TrialJob {
  readonly kind: 'trial';
  readonly model: TrialModel;
}

/** Line that is sent for each image after the first line: the image file's bytes in Base64. */
export interface TrialImage {
  readonly image: string;
}

/** Response to each line that is sent. After `rejected`, the process exits. */
export type TrialMessage =
  | { readonly kind: 'ready' }
  /** The weights don't fit the networks in this version. */
  | { readonly kind: 'rejected' }
  /** The predictions for an image, sorted by descending confidence. */
  | { readonly kind: 'predictions'; readonly predictions: readonly Prediction[] }
  /** The file is not an image, is damaged, or is too large. */
  | { readonly kind: 'unreadable' };
