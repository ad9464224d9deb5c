import { isBoolean, isListOf, isNumber, isOptional, isShape, isString } from './guards';

/** A metric of a model. */
export interface JobMetric {
  /** Name of the metric in `metrics.json`, which isn't translated. */
  readonly key: string;
  readonly name: string;
  readonly value: number;
  /** True if the value is between 0 and 1 and shown as a percentage. */
  readonly isShare: boolean;
}

/** Metrics of one label on held-out images. Fractions are between 0 and 1. */
export interface JobLabelMetrics {
  readonly label: string;
  /** Number of held-out images or boxes with the label. */
  readonly heldOut?: number | undefined;
  readonly precision?: number | undefined;
  readonly recall?: number | undefined;
  readonly meanIou?: number | undefined;
}

/** The metrics of the model that a job created. All strings are user-provided. */
export interface JobMetrics {
  readonly numbers: readonly JobMetric[];
  readonly labels: readonly JobLabelMetrics[];
  /**
   * Confusion matrix with a row per true label and a column per predicted label; empty if there is
   * none.
   */
  readonly confusion: readonly (readonly number[])[];
  /** Reason why metrics are unavailable although they might exist. */
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
