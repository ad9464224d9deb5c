import {
  isBoolean,
  isListOf,
  isNumber,
  isOneOf,
  isOptional,
  isShape,
  isString,
  isUndefined,
} from './guards';
import { command, notification, request } from './protocol';
import { recoveryMessages } from './recoveryAction';

/** States of a training job; `other` is for states that are unknown to this client. */
export const jobStates = [
  ...(['pending', 'running', 'completed', 'failed'] as const),
  ...(['canceling', 'canceled', 'other'] as const),
] as const;

export type JobState = (typeof jobStates)[number];

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

const isJobMetrics = isShape<JobMetrics>({
  numbers: isListOf(
    isShape<JobMetric>({ key: isString, name: isString, value: isNumber, isShare: isBoolean }),
  ),
  labels: isListOf(
    isShape<JobLabelMetrics>({
      label: isString,
      heldOut: isOptional(isNumber),
      precision: isOptional(isNumber),
      recall: isOptional(isNumber),
      meanIou: isOptional(isNumber),
    }),
  ),
  confusion: isListOf(isListOf(isNumber)),
  problem: isOptional(isString),
});

/** A training job as the list shows it. All strings are user-provided. */
export interface PageJob {
  readonly id: string;
  /** Name of the model that the job creates. */
  readonly model: string;
  readonly version: string;
  readonly state: JobState;
  /** Description of the job's state. */
  readonly status: string;
  /** Name of the task or of the training script. */
  readonly training: string;
  readonly dataset: string;
  /** Submission time in milliseconds since 1970. The other times have the same unit. */
  readonly submittedAt?: number | undefined;
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
}

export interface PageJobs {
  /** The name of the organization. */
  readonly organization: string;
  /** Jobs, newest first. */
  readonly jobs: readonly PageJob[];
}

/** A fact about a job, with its label. */
export interface JobFact {
  readonly name: string;
  readonly value: string;
  /** True if the value is an ID instead of text. */
  readonly isCode: boolean;
}

/** Details of a job that its line in the list doesn't contain, and the available actions. */
export interface JobDetail {
  readonly facts: readonly JobFact[];
  /** Reason why the job failed. */
  readonly error?: string | undefined;
  readonly canCancel: boolean;
  readonly canDelete: boolean;
  /** True if the job has created a model that can be shown and used. */
  readonly hasModel: boolean;
  /** True if the dataset of the job still exists. */
  readonly hasDataset: boolean;
}

/** A log line of a job. */
export interface JobLogLine {
  /** Time in milliseconds since 1970; absent if the service doesn't report it. */
  readonly at?: number | undefined;
  /** Severity of the line. All levels other than warnings and errors are `info`. */
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
}

/** A metric of a training job, such as its loss, with the epochs that reported it. */
export interface JobSeries {
  readonly name: string;
  readonly epochs: readonly number[];
  readonly values: readonly number[];
}

/** Progress of a job according to its log. */
export interface JobProgress {
  readonly epoch?: number | undefined;
  readonly epochs?: number | undefined;
  /** Metrics that decrease during training. */
  readonly losses: readonly JobSeries[];
  /** Metrics between 0 and 1 that increase during training. */
  readonly qualities: readonly JobSeries[];
}

/** A chunk of a job's log. */
export interface JobLog {
  /** Zero-based number of the first of these lines among all logged lines. */
  readonly from: number;
  readonly lines: readonly JobLogLine[];
  /** Number of logged lines. Lines before `first` aren't stored. */
  readonly total: number;
  readonly first: number;
  /** Reason why there is no log, or why no more of it is available. */
  readonly problem?: string | undefined;
  readonly progress: JobProgress;
}

/**
 * Kinds of errors that remove the jobs from the page, because the user can no longer view them or
 * they were deleted.
 */
export const takingAway: ReadonlySet<string> = new Set([
  'unauthenticated',
  'permission',
  'notFound',
]);

const isJob = isShape<PageJob>({
  id: isString,
  model: isString,
  version: isString,
  state: isOneOf(...jobStates),
  status: isString,
  training: isString,
  dataset: isString,
  submittedAt: isOptional(isNumber),
  startedAt: isOptional(isNumber),
  endedAt: isOptional(isNumber),
});
const isFact = isShape<JobFact>({ name: isString, value: isString, isCode: isBoolean });
const isSeries = isShape<JobSeries>({
  name: isString,
  epochs: isListOf(isNumber),
  values: isListOf(isNumber),
});
const isLine = isShape<JobLogLine>({
  at: isOptional(isNumber),
  level: isOneOf('info', 'warn', 'error'),
  message: isString,
});
const isProgress = isShape<JobProgress>({
  epoch: isOptional(isNumber),
  epochs: isOptional(isNumber),
  losses: isListOf(isSeries),
  qualities: isListOf(isSeries),
});

interface JobParams {
  readonly job: string;
}

const isJobParams = isShape<JobParams>({ job: isString });

interface Start {
  /** BCP 47 language tag for formatting times and numbers. */
  readonly locale: string;
  /** Identifies the organization of the panel. The host reads it; the webview only saves it. */
  readonly panel: string;
  /** Job that the page must show now; if absent, the page shows the previously selected job. */
  readonly selected?: string | undefined;
}

/** Messages between the training panel and its host. Jobs are identified by ID. */
export const trainingProtocol = {
  /** Handshake: the page has started and requests the information that it needs before any data. */
  ready: request(
    isUndefined,
    isShape<Start>({
      locale: isString,
      panel: isString,
      selected: isOptional(isString),
    }),
  ),
  /** Returns the jobs. With `fresh`, the host doesn't use its cache. */
  load: request(
    isShape<{ readonly fresh: boolean }>({ fresh: isBoolean }),
    isShape<PageJobs>({ organization: isString, jobs: isListOf(isJob) }),
  ),
  detail: request(
    isJobParams,
    isShape<JobDetail>({
      facts: isListOf(isFact),
      error: isOptional(isString),
      canCancel: isBoolean,
      canDelete: isBoolean,
      hasModel: isBoolean,
      hasDataset: isBoolean,
    }),
  ),
  /** Returns the metrics of the model that a completed job created. */
  readMetrics: request(isJobParams, isJobMetrics),
  /** Returns the curves of a job, completed or not, based on its log so far. */
  readCurves: request(isJobParams, isProgress),
  /** Returns as much of a job's log as fits in one response, starting at a given line. */
  readLog: request(
    isShape<JobParams & { readonly from: number }>({ job: isString, from: isNumber }),
    isShape<JobLog>({
      from: isNumber,
      lines: isListOf(isLine),
      total: isNumber,
      first: isNumber,
      problem: isOptional(isString),
      progress: isProgress,
    }),
  ),
  /** Starts following the log of a job; if absent, no log is followed. */
  select: command(isShape<{ readonly job?: string | undefined }>({ job: isOptional(isString) })),
  copyId: command(isJobParams),
  cancel: command(isJobParams),
  delete: command(isJobParams),
  submitAgain: command(isJobParams),
  showModel: command(isJobParams),
  /** Deploys the model to a machine. */
  deploy: command(isJobParams),
  showDataset: command(isJobParams),
  /** Opens the whole available log as text. */
  openLog: command(isJobParams),
  /** Submits a new job. */
  submit: command(isUndefined),
  ...recoveryMessages,
  /** Reports that the jobs, or the permission to read them, changed. */
  changed: notification(isUndefined),
  /** Reports that the page must select a job. */
  selected: notification(isJobParams),
  /** Reports that the log of the selected job has new lines. */
  logChanged: notification(isJobParams),
} as const;

export type TrainingProtocol = typeof trainingProtocol;

/** Filter of the jobs in the list. */
export interface JobFilter {
  /** Words that the line of a job must contain. */
  readonly text: string;
  /** States of the jobs to show; empty for all states. */
  readonly states: readonly JobState[];
}

/** State that the page saves with `setState`. */
export interface TrainingPageState {
  readonly panel: string;
  readonly filter: JobFilter;
  readonly selected?: string | undefined;
  /** The jobs to compare, the first of which is the baseline. */
  readonly compared?: readonly string[] | undefined;
}

export const isTrainingPageState = isShape<TrainingPageState>({
  panel: isString,
  filter: isShape<JobFilter>({ text: isString, states: isListOf(isOneOf(...jobStates)) }),
  selected: isOptional(isString),
  compared: isOptional(isListOf(isString)),
});
