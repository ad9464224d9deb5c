import type { BoxCorners } from './binaryItem';
import type { TrainingTask } from './trainingTask';

/** Model that can be tried on single images: one that the fleet service trained itself. */
export interface TrialModel {
  readonly task: TrainingTask;
  /** Labels in the order of the outputs. */
  readonly labels: readonly string[];
  /** The shape of each array of weights, in the order in which they are stored. */
  readonly shapes: readonly (readonly number[])[];
  /** 32-bit floats, one array after the other, in Base64. */
  readonly weights: string;
}

/** Minimum score of detections that the fleet service's detectors report. */
export const MIN_DETECTION_SCORE = 0.3;

/** Prediction of a model for an image: a label and, for a detector, its position. */
export interface Prediction {
  readonly label: string;
  /** From 0 to 1. */
  readonly confidence: number;
  /** Present for a detector only. */
  readonly box?: BoxCorners | undefined;
}

/** First line that the process that tries a model receives. */
export interface TrialJob {
  readonly kind: 'trial';
  readonly model: TrialModel;
}

/** Subsequent line for each image: the bytes of its file, in Base64. */
export interface TrialImage {
  readonly image: string;
}

/** Response to each of these lines. After `rejected`, the process exits. */
export type TrialMessage =
  | { readonly kind: 'ready' }
  /** The weights don't fit the networks of this version. */
  | { readonly kind: 'rejected' }
  /** The predictions for an image, the most confident first. */
  | { readonly kind: 'predictions'; readonly predictions: readonly Prediction[] }
  /** The file is not an image, is damaged, or is too large. */
  | { readonly kind: 'unreadable' };
