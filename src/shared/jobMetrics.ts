import { isBoolean, isListOf, isNumber, isOptional, isShape, isString } from './guards';

/** A metric of a model. */
export interface JobMetric {
  /** Its name in `metrics.json`, which isn't translated. */
  readonly key: string;
  readonly name: string;
  readonly value: number;
  /** From 0 to 1, shown as a percentage. */
  readonly isShare: boolean;
}

/** The metrics of one label on held-out images; shares from 0 to 1. */
export interface JobLabelMetrics {
  readonly label: string;
  /** Number of held-out images or boxes. */
  readonly heldOut?: number | undefined;
  readonly precision?: number | undefined;
  readonly recall?: number | undefined;
  readonly meanIou?: number | undefined;
}

/** The metrics of the model that a job created. All texts are user-provided. */
export interface JobMetrics {
  readonly numbers: readonly JobMetric[];
  readonly labels: readonly JobLabelMetrics[];
  /** Rows are the true labels, columns the predicted ones; empty if there is no matrix. */
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
