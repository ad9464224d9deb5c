import {
  type Guard,
  isBoolean,
  isListOf,
  isNothing,
  isNumber,
  isOneOf,
  isOptional,
  isRecord,
  isShape,
  isString,
} from './guards';
import { isJobMetrics } from './jobMetrics';
import { type JobState, jobStates } from './jobStates';
import { command, notification, request } from './protocol';
import type { TrainingStrings } from './trainingStrings';
import { recoveryMessages } from './recoveryAction';

/** A training job as the list shows it. All texts are user-provided. */
export interface PageJob {
  readonly id: string;
  /** Name of the model that it creates. */
  readonly model: string;
  readonly version: string;
  readonly state: JobState;
  /** Description of the state. */
  readonly status: string;
  /** The task, or the training script. */
  readonly training: string;
  readonly dataset: string;
  /** Milliseconds since 1970, like all of these. */
  readonly submittedAt?: number | undefined;
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
}

export interface PageJobs {
  /** The name of the organization. */
  readonly organization: string;
  /** Newest first. */
  readonly jobs: readonly PageJob[];
}

/** A fact about a job, with its label. */
export interface JobFact {
  readonly name: string;
  readonly value: string;
  /** True for an ID instead of text. */
  readonly isCode: boolean;
}

/** Details of a job in addition to its line in the list, and its available actions. */
export interface JobDetail {
  readonly facts: readonly JobFact[];
  /** Reason why it failed. */
  readonly error?: string | undefined;
  readonly canCancel: boolean;
  readonly canDelete: boolean;
  /** True if there is a model to show and use. */
  readonly hasModel: boolean;
  /** True if its dataset still exists. */
  readonly hasDataset: boolean;
}

/** A log line of a job. */
export interface JobLogLine {
  /** Milliseconds since 1970; absent if the service doesn't report it. */
  readonly at?: number | undefined;
  /** Severity; `info` for all other lines. */
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
}

/** A metric of a training job, such as its loss, by the epochs that reported it. */
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
  /** Number of the first of these lines among all logged ones, from 0. */
  readonly from: number;
  readonly lines: readonly JobLogLine[];
  /** Number of logged lines; those before `first` aren't stored. */
  readonly total: number;
  readonly first: number;
  /** Reason why there is no log, or no more of it. */
  readonly problem?: string | undefined;
  readonly progress: JobProgress;
}

/**
 * Kinds of errors after which jobs are no longer shown: the user can't view them, or they were
 * deleted.
 */
export const takingAway: ReadonlySet<string> = new Set([
  'unauthenticated',
  'permission',
  'notFound',
]);

const isJob = isShape<PageJob>({
  ...{ id: isString, model: isString, version: isString, state: isOneOf(...jobStates) },
  ...{ status: isString, training: isString, dataset: isString },
  ...{ submittedAt: isOptional(isNumber), startedAt: isOptional(isNumber) },
  endedAt: isOptional(isNumber),
});
const isFact = isShape<JobFact>({ name: isString, value: isString, isCode: isBoolean });
const isSeries = isShape<JobSeries>({
  ...{ name: isString, epochs: isListOf(isNumber), values: isListOf(isNumber) },
});
const isLine = isShape<JobLogLine>({
  ...{ at: isOptional(isNumber), level: isOneOf('info', 'warn', 'error'), message: isString },
});
const isProgress = isShape<JobProgress>({
  ...{ epoch: isOptional(isNumber), epochs: isOptional(isNumber) },
  ...{ losses: isListOf(isSeries), qualities: isListOf(isSeries) },
});

interface JobParams {
  readonly job: string;
}

const isJobParams = isShape<JobParams>({ job: isString });

interface Start {
  readonly strings: TrainingStrings;
  /** A BCP 47 tag for times and numbers. */
  readonly locale: string;
  /** Identifies the organization of the panel. The host reads it; the webview only saves it. */
  readonly panel: string;
  /** The job that the panel must show now; if absent, the previously selected one. */
  readonly selected?: string | undefined;
}

const isStrings: Guard<TrainingStrings> = (value): value is TrainingStrings => isRecord(value);

/** Messages between the training panel and its host. Jobs are identified by ID. */
export const trainingProtocol = {
  /** The handshake: the page has started and requests what it needs before any data. */
  ready: request(
    isNothing,
    isShape<Start>({
      ...{ strings: isStrings, locale: isString, panel: isString },
      selected: isOptional(isString),
    }),
  ),
  /** Returns the jobs; `fresh` bypasses the cache. */
  load: request(
    isShape<{ readonly fresh: boolean }>({ fresh: isBoolean }),
    isShape<PageJobs>({ organization: isString, jobs: isListOf(isJob) }),
  ),
  detail: request(
    isJobParams,
    isShape<JobDetail>({
      ...{ facts: isListOf(isFact), error: isOptional(isString) },
      ...{ canCancel: isBoolean, canDelete: isBoolean },
      ...{ hasModel: isBoolean, hasDataset: isBoolean },
    }),
  ),
  /** Returns the metrics of the model that a completed job created. */
  readMetrics: request(isJobParams, isJobMetrics),
  /** Returns the curves of any job, according to its log so far. */
  readCurves: request(isJobParams, isProgress),
  /** Returns a job's log from a line on, as much as fits in one response. */
  readLog: request(
    isShape<JobParams & { readonly from: number }>({ job: isString, from: isNumber }),
    isShape<JobLog>({
      ...{ from: isNumber, lines: isListOf(isLine), total: isNumber, first: isNumber },
      ...{ problem: isOptional(isString), progress: isProgress },
    }),
  ),
  /** Follows the log of this job from now on; if absent, of none. */
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
  submit: command(isNothing),
  ...recoveryMessages,
  /** The jobs, or the permission to read them, changed. */
  changed: notification(isNothing),
  /** This job must be selected. */
  selected: notification(isJobParams),
  /** The log of the selected job has new lines. */
  logChanged: notification(isJobParams),
} as const;

export type TrainingProtocol = typeof trainingProtocol;

/** Filter of the jobs in the list. */
export interface JobFilter {
  /** Words that must all be in the line of a job. */
  readonly text: string;
  /** Empty for all states. */
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
