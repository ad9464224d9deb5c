import { isBoolean, isListOf, isNumber, isOptional, isShape, isString } from './guards';

/** A number that tells how good a model is. */
export interface JobMetric {
  /** The name in `metrics.json`, the same in every language. */
  readonly key: string;
  readonly name: string;
  readonly value: number;
  /** From 0 to 1, shown as a percentage. */
  readonly isShare: boolean;
}

/** The metrics of one label on held-out images; shares from 0 to 1. */
export interface JobLabelMetrics {
  readonly label: string;
  /** Held-out images, or boxes. */
  readonly heldOut?: number | undefined;
  readonly precision?: number | undefined;
  readonly recall?: number | undefined;
  readonly meanIou?: number | undefined;
}

/** The metrics of the model that a job made. All of its texts are what other people wrote. */
export interface JobMetrics {
  readonly numbers: readonly JobMetric[];
  readonly labels: readonly JobLabelMetrics[];
  /** Rows are the true labels, columns the predicted ones; empty where there is no matrix. */
  readonly confusion: readonly (readonly number[])[];
  /** Why there are no metrics although there may be some. */
  readonly problem?: string | undefined;
}

export const isJobMetrics = isShape<JobMetrics>({
  numbers: isListOf(
    isShape<JobMetric>({ key: isString, name: isString, value: isNumber, isShare: isBoolean }),
  ),
  labels: isListOf(
    isShape<JobLabelMetrics>({
      ...{ label: isString, heldOut: isOptional(isNumber), precision: isOptional(isNumber) },
      ...{ recall: isOptional(isNumber), meanIou: isOptional(isNumber) },
    }),
  ),
  confusion: isListOf(isListOf(isNumber)),
  problem: isOptional(isString),
});
