import {
  type Guarded,
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

const isJobMetric = isShape({
  /** Name of the metric in `metrics.json`, which isn't translated. */
  key: isString,
  name: isString,
  value: isNumber,
  /** True if the value is between 0 and 1 and shown as a percentage. */
  isShare: isBoolean,
});
/** A metric of a model. */
export type JobMetric = Guarded<typeof isJobMetric>;

const isJobLabelMetrics = isShape({
  label: isString,
  /** Number of held-out images or boxes with the label. */
  heldOut: isOptional(isNumber),
  precision: isOptional(isNumber),
  recall: isOptional(isNumber),
  meanIou: isOptional(isNumber),
});
/** Metrics for one label on held-out images. Fractions are between 0 and 1. */
export type JobLabelMetrics = Guarded<typeof isJobLabelMetrics>;

const isJobMetrics = isShape({
  numbers: isListOf(isJobMetric),
  labels: isListOf(isJobLabelMetrics),
  /**
   * Confusion matrix with a row per true label and a column per predicted label; empty if there is
   * none.
   */
  confusion: isListOf(isListOf(isNumber)),
  /** Reason why metrics are unavailable although they might exist. */
  problem: isOptional(isString),
});
/** The metrics for the model that a job created. All strings are user-provided. */
export type JobMetrics = Guarded<typeof isJobMetrics>;

const isJob = isShape({
  id: isString,
  /** Name of the model that the job creates. */
  model: isString,
  version: isString,
  state: isOneOf(...jobStates),
  /** Description of the job's state. */
  status: isString,
  /** Name of the task or training script. */
  training: isString,
  dataset: isString,
  /** Submission time in milliseconds since 1970. The other times have the same unit. */
  submittedAt: isOptional(isNumber),
  startedAt: isOptional(isNumber),
  endedAt: isOptional(isNumber),
});
/** A training job as the list shows it. All strings are user-provided. */
export type PageJob = Guarded<typeof isJob>;

const isFact = isShape({
  name: isString,
  value: isString,
  /** True if the value is an ID instead of text. */
  isCode: isBoolean,
});
/** A fact about a job, with its label. */
export type JobFact = Guarded<typeof isFact>;

const isSeries = isShape({
  name: isString,
  epochs: isListOf(isNumber),
  values: isListOf(isNumber),
});
/** A metric of a training job, such as its loss, with the epochs that reported it. */
export type JobSeries = Guarded<typeof isSeries>;

const isLine = isShape({
  /** Time in milliseconds since 1970; absent if the service doesn't report it. */
  at: isOptional(isNumber),
  /** Severity of the line, which is `info` for all lines except warnings and errors. */
  level: isOneOf('info', 'warn', 'error'),
  message: isString,
});
/** A log line from a job. */
export type JobLogLine = Guarded<typeof isLine>;

const isProgress = isShape({
  epoch: isOptional(isNumber),
  epochs: isOptional(isNumber),
  /** Metrics that decrease during training. */
  losses: isListOf(isSeries),
  /** Metrics between 0 and 1 that increase during training. */
  qualities: isListOf(isSeries),
});
/** A job's progress according to its log. */
export type JobProgress = Guarded<typeof isProgress>;

const isJobParams = isShape({
  job: isString,
});

const isStart = isShape({
  /** BCP 47 language tag for formatting times and numbers. */
  locale: isString,
  /** Identifies the panel's organization. The host reads it; the webview only saves it. */
  panel: isString,
  /** Job that the page must show now; if absent, the page shows the previously selected job. */
  selected: isOptional(isString),
});

const isPageJobs = isShape({
  /** The name of the organization. */
  organization: isString,
  /** Jobs, newest first. */
  jobs: isListOf(isJob),
  /** Reason that no job can be submitted, canceled, or deleted; absent if changes are allowed. */
  readOnly: isOptional(isString),
});
export type PageJobs = Guarded<typeof isPageJobs>;

const isJobDetail = isShape({
  facts: isListOf(isFact),
  /** Reason why the job failed. */
  error: isOptional(isString),
  canCancel: isBoolean,
  canDelete: isBoolean,
  canSubmit: isBoolean,
  /** True if the job's model can be deployed to a machine. */
  canDeploy: isBoolean,
  /** True if the job has created a model that can be shown and used. */
  hasModel: isBoolean,
  /** True if the job's dataset still exists. */
  hasDataset: isBoolean,
});
/** Details about a job that its line in the list doesn't contain, and the available actions. */
export type JobDetail = Guarded<typeof isJobDetail>;

const isJobLog = isShape({
  /** Zero-based index of the first line of this chunk among all logged lines. */
  from: isNumber,
  lines: isListOf(isLine),
  /** Number of logged lines. Lines before `first` aren't stored. */
  total: isNumber,
  first: isNumber,
  /** Reason that there is no log, or that the rest of the log isn't available. */
  problem: isOptional(isString),
  progress: isProgress,
});
/** A chunk of a job's log. */
export type JobLog = Guarded<typeof isJobLog>;

/** Messages between the training panel and its host. Jobs are identified by ID. */
export const trainingProtocol = {
  /**
   * Handshake. Reports that the page has started, and requests the information that it needs before
   * any data.
   */
  ready: request(isUndefined, isStart),
  /** Returns the jobs. With `fresh`, the host doesn't use its cache. */
  load: request(isShape({ fresh: isBoolean }), isPageJobs),
  detail: request(isJobParams, isJobDetail),
  /** Returns the metrics for the model that a completed job created. */
  readMetrics: request(isJobParams, isJobMetrics),
  /** Returns a job's curves, based on its log so far. The job doesn't have to be completed. */
  readCurves: request(isJobParams, isProgress),
  /** Returns as much of a job's log as fits in one response, starting at a given line. */
  readLog: request(isShape({ job: isString, from: isNumber }), isJobLog),
  /** Starts following a job's log. If no job is specified, no log is followed. */
  select: command(isShape({ job: isOptional(isString) })),
  /** Starts following the logs of the compared jobs, in addition to the selected job's log. */
  compare: command(isShape({ jobs: isListOf(isString) })),
  copyId: command(isJobParams),
  cancel: command(isJobParams),
  delete: command(isJobParams),
  submitAgain: command(isJobParams),
  showModel: command(isJobParams),
  /** Deploys the model to a machine. */
  deploy: command(isJobParams),
  showDataset: command(isJobParams),
  /** Opens the entire available log as text. */
  openLog: command(isJobParams),
  /** Submits a new job. */
  submit: command(isUndefined),
  ...recoveryMessages,
  /** Reports that the jobs, or the permission to read them, changed. */
  changed: notification(isUndefined),
  /** Reports that the page must select a job. */
  selected: notification(isJobParams),
  /** Reports that the log of the selected job or of a compared job has new lines. */
  logChanged: notification(isJobParams),
} as const;

export type TrainingProtocol = typeof trainingProtocol;

const isJobFilter = isShape({
  /** Words that a job's line must contain. */
  text: isString,
  /** States of the jobs to show; empty for all states. */
  states: isListOf(isOneOf(...jobStates)),
});
/** Filter for the jobs in the list. */
export type JobFilter = Guarded<typeof isJobFilter>;

export const isTrainingPageState = isShape({
  panel: isString,
  filter: isJobFilter,
  selected: isOptional(isString),
  /** The jobs to compare, the first of which is the baseline. */
  compared: isOptional(isListOf(isString)),
});
/** State that the page saves with `setState`. */
export type TrainingPageState = Guarded<typeof isTrainingPageState>;
