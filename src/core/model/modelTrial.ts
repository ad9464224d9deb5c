import type { BoxCorners } from './binaryItem';
import type { TrainingTask } from './trainingTask';

/** A model that can be tried on single images: one that the fleet service trained by itself. */
export interface TrialModel {
  readonly task: TrainingTask;
  /** In the order of the outputs. */
  readonly labels: readonly string[];
  /** The shape of each array of weights, in the order in which they are stored. */
  readonly shapes: readonly (readonly number[])[];
  /** 32-bit floats, one array after the other, in Base64. */
  readonly weights: string;
}

/** Detectors that the fleet service trains report only detections with at least this score. */
export const MIN_DETECTION_SCORE = 0.3;

/** What a model predicts of an image: a label, and where a detector finds it. */
export interface Prediction {
  readonly label: string;
  /** From 0 to 1. */
  readonly confidence: number;
  /** Present for a detector only. */
  readonly box?: BoxCorners | undefined;
}

/** The first line that a process gets that tries a model. */
export interface TrialJob {
  readonly kind: 'trial';
  readonly model: TrialModel;
}

/** A line for each image afterwards: the bytes of its file, in Base64. */
export interface TrialImage {
  readonly image: string;
}

/** The answer to each of these lines. After `rejected`, the process exits. */
export type TrialMessage =
  | { readonly kind: 'ready' }
  /** The weights do not fit the networks of this version. */
  | { readonly kind: 'rejected' }
  /** The predictions for an image, the most confident first. */
  | { readonly kind: 'predictions'; readonly predictions: readonly Prediction[] }
  /** The file is not an image, is damaged, or is too large. */
  | { readonly kind: 'unreadable' };
