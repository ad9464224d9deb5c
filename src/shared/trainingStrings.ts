import type { ChartTableStrings } from './tables';
import type { RecoveryActionLabels } from './recoveryAction';

/** Strings that make a metrics chart accessible to screen readers. */
export interface TrainingChartStrings extends Omit<ChartTableStrings, 'table'> {
  readonly losses: string;
  readonly lossTable: string;
  readonly qualities: string;
  readonly qualityTable: string;
  /** Description of the keyboard shortcuts. */
  readonly keys: string;
  /** `{0}` is the number of the epoch. */
  readonly epoch: string;
}

/** Strings of a model's metrics. */
export interface TrainingMetricStrings {
  readonly heading: string;
  readonly loading: string;
  /** `{0}` is the reason. */
  readonly failed: string;
  readonly none: string;
  readonly byLabel: string;
  readonly label: string;
  readonly heldOut: string;
  readonly precision: string;
  readonly recall: string;
  readonly meanIou: string;
  readonly confusion: string;
  readonly trueLabel: string;
  readonly predictedLabel: string;
  readonly images: string;
  /** Heading of the list of the most frequent confusions. */
  readonly confusions: string;
  readonly noConfusions: string;
  /** `{0}` is the number of labels. */
  readonly tooManyLabels: string;
}

/** Strings of the job comparison. */
export interface TrainingComparisonStrings {
  readonly heading: string;
  /** `{0}` is the number of jobs. */
  readonly open: string;
  readonly close: string;
  readonly clear: string;
  readonly add: string;
  readonly remove: string;
  /** `{0}` is the job. */
  readonly removeHint: string;
  readonly marked: string;
  /** `{0}` is the job. */
  readonly added: string;
  /** `{0}` is the job. */
  readonly removed: string;
  /** `{0}` is the number of jobs. */
  readonly full: string;
  readonly baseline: string;
  readonly pin: string;
  /** `{0}` is the job. */
  readonly pinHint: string;
  /** `{0}` is the job. */
  readonly baselineColumn: string;
  readonly curve: string;
  readonly curves: string;
  readonly curvesTable: string;
  readonly numbers: string;
  readonly labels: string;
  readonly metric: string;
  readonly label: string;
  /** `{0}` is the job. */
  readonly precisionColumn: string;
  /** `{0}` is the job. */
  readonly recallColumn: string;
  /** `{0}` is the value. */
  readonly same: string;
  /** `{0}` is the value, `{1}` the difference with its sign. */
  readonly difference: string;
  /** `{0}` is the value, `{1}` the difference in percentage points with its sign. */
  readonly shareDifference: string;
  readonly noMetrics: string;
  /** `{0}` is the job, `{1}` the reason. */
  readonly problem: string;
}

/** All strings of the training panel; the host translates them. */
export interface TrainingStrings extends RecoveryActionLabels {
  readonly loading: string;
  readonly failed: string;
  /** Heading shown until the organization is known. */
  readonly title: string;
  /** `{0}` is the organization. */
  readonly heading: string;
  readonly actions: {
    readonly label: string;
    readonly submit: string;
    readonly refresh: string;
    readonly cancel: string;
    readonly delete: string;
    readonly submitAgain: string;
    readonly showModel: string;
    readonly deploy: string;
    readonly showDataset: string;
    readonly copyId: string;
    readonly idCopied: string;
  };
  readonly filter: {
    readonly label: string;
    readonly placeholder: string;
    readonly states: string;
    readonly clear: string;
    readonly stateNames: Readonly<Record<JobState, string>>;
  };
  readonly list: {
    readonly label: string;
    readonly none: string;
    readonly nothingFits: string;
    /** `{0}` is the number of jobs that match the filter, `{1}` the total number. */
    readonly count: string;
  };
  readonly detail: {
    readonly facts: string;
    readonly error: string;
    readonly submitted: string;
    readonly started: string;
    readonly ended: string;
    readonly duration: string;
    /** `{0}` is the number of the epoch, `{1}` the total number of epochs. */
    readonly epochs: string;
    readonly progress: string;
    /** `{0}` is the job, `{1}` its state. */
    readonly stateChanged: string;
  };
  readonly chart: TrainingChartStrings;
  readonly metrics: TrainingMetricStrings;
  readonly comparison: TrainingComparisonStrings;
  readonly log: {
    readonly heading: string;
    readonly label: string;
    readonly empty: string;
    readonly waiting: string;
    readonly open: string;
    readonly toEnd: string;
    /** `{0}` is the number of lines that aren't stored. */
    readonly dropped: string;
    readonly levels: Readonly<Record<'warn' | 'error', string>>;
  };
}

/** States of a training job; `other` is for states that are unknown to this client. */
export const jobStates = [
  ...(['pending', 'running', 'completed', 'failed'] as const),
  ...(['canceling', 'canceled', 'other'] as const),
] as const;

export type JobState = (typeof jobStates)[number];
