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
import { wayOutMessages } from './wayOut';

/** A training job as the list shows it. All of its texts are what other people wrote. */
export interface PageJob {
  readonly id: string;
  /** Of the model that it makes. */
  readonly model: string;
  readonly version: string;
  readonly state: JobState;
  /** The state in words. */
  readonly status: string;
  /** What is learned, or the script that trains. */
  readonly training: string;
  readonly dataset: string;
  /** Milliseconds since 1970, as all of these. */
  readonly submittedAt?: number | undefined;
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
}

export interface PageJobs {
  /** The name of the organization. */
  readonly organization: string;
  /** The newest first. */
  readonly jobs: readonly PageJob[];
}

/** Something that is known of a job, with its name, in words. */
export interface JobFact {
  readonly name: string;
  readonly value: string;
  /** An id, rather than words. */
  readonly isCode: boolean;
}

/** What is known of a job besides its line in the list, and what can be done with it. */
export interface JobDetail {
  readonly facts: readonly JobFact[];
  /** Why it failed. */
  readonly error?: string | undefined;
  readonly canCancel: boolean;
  readonly canDelete: boolean;
  /** There is a model to be shown and used. */
  readonly hasModel: boolean;
  /** The dataset it was trained on is still there. */
  readonly hasDataset: boolean;
}

/** A line that a job logged. */
export interface JobLogLine {
  /** Milliseconds since 1970; absent where the service does not tell it. */
  readonly at?: number | undefined;
  /** What stands out; `info` for all else. */
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
}

/** A figure of a training, such as its loss, by the epochs that told it. */
export interface JobSeries {
  readonly name: string;
  readonly epochs: readonly number[];
  readonly values: readonly number[];
}

/** How far a job is, as its log tells it. */
export interface JobProgress {
  readonly epoch?: number | undefined;
  readonly epochs?: number | undefined;
  /** What becomes smaller. */
  readonly losses: readonly JobSeries[];
  /** What becomes larger, between 0 and 1. */
  readonly qualities: readonly JobSeries[];
}

/** A piece of a job's log. */
export interface JobLog {
  /** The number of the first of these lines among all that were logged, from 0 on. */
  readonly from: number;
  readonly lines: readonly JobLogLine[];
  /** How many were logged; the ones before `first` are not kept. */
  readonly total: number;
  readonly first: number;
  /** Why there is no log, or no more of it. */
  readonly problem?: string | undefined;
  readonly progress: JobProgress;
}

/** Kinds of errors after which jobs are not shown any more: they may not be seen, or are no more. */
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
  /** Says of which organization the panel is. The host reads it, the webview only keeps it. */
  readonly panel: string;
  /** The job that the panel is to show now; otherwise the one that was selected before. */
  readonly selected?: string | undefined;
}

const isStrings: Guard<TrainingStrings> = (value): value is TrainingStrings => isRecord(value);

/** What the training panel and its host say to each other. Jobs go by their ids. */
export const trainingProtocol = {
  /** The handshake: the page is there and wants what it needs before any data. */
  ready: request(
    isNothing,
    isShape<Start>({
      ...{ strings: isStrings, locale: isString, panel: isString },
      selected: isOptional(isString),
    }),
  ),
  /** The jobs as they are; `fresh` asks the service for them again. */
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
  /** The metrics of the model that a completed job made. */
  readMetrics: request(isJobParams, isJobMetrics),
  /** The curves of any job, as far as it has logged. */
  readCurves: request(isJobParams, isProgress),
  /** What a job logged from a line on, as far as one answer takes it. */
  readLog: request(
    isShape<JobParams & { readonly from: number }>({ job: isString, from: isNumber }),
    isShape<JobLog>({
      ...{ from: isNumber, lines: isListOf(isLine), total: isNumber, first: isNumber },
      ...{ problem: isOptional(isString), progress: isProgress },
    }),
  ),
  /** The log of this job is followed from now on; without one, of none. */
  select: command(isShape<{ readonly job?: string | undefined }>({ job: isOptional(isString) })),
  copyId: command(isJobParams),
  cancel: command(isJobParams),
  delete: command(isJobParams),
  submitAgain: command(isJobParams),
  showModel: command(isJobParams),
  /** Uses the model on a machine. */
  deploy: command(isJobParams),
  showDataset: command(isJobParams),
  /** Shows all of the log that is there as a text. */
  openLog: command(isJobParams),
  /** Submits a new job. */
  submit: command(isNothing),
  ...wayOutMessages,
  /** The jobs, or what may be read of them, are others now. */
  changed: notification(isNothing),
  /** This job is to be selected. */
  selected: notification(isJobParams),
  /** The log of the selected job has gone on. */
  logChanged: notification(isJobParams),
} as const;

export type TrainingProtocol = typeof trainingProtocol;

/** Which jobs the list shows. */
export interface JobFilter {
  /** All of these words are in the line of a job. */
  readonly text: string;
  /** Empty: in whatever state. */
  readonly states: readonly JobState[];
}

/** What the page keeps in `setState`. */
export interface TrainingPageState {
  readonly panel: string;
  readonly filter: JobFilter;
  readonly selected?: string | undefined;
  /** The jobs to compare, of which the first one is the baseline. */
  readonly compared?: readonly string[] | undefined;
}

export const isTrainingPageState = isShape<TrainingPageState>({
  panel: isString,
  filter: isShape<JobFilter>({ text: isString, states: isListOf(isOneOf(...jobStates)) }),
  selected: isOptional(isString),
  compared: isOptional(isListOf(isString)),
});
