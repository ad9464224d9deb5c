import { stripAnsi } from '../../base/ansiText';
import type {
  GetTrainingJobLogsResponse,
  TrainingJobMetadata,
  TrainingStatus as WireStatus,
} from '../../gen/viam/app/mltraining/v1/ml_training_pb';
import { toDate } from './fromWire';
import {
  type DatasetId,
  datasetId,
  type OrganizationId,
  organizationId,
  type RegistryItemId,
  registryItemId,
  type TrainingJobId,
  trainingJobId,
} from './ids';
import type { ModelFramework, ModelTask } from './registryItem';
import { findWireName, MODEL_FRAMEWORKS, MODEL_TASKS } from './registryWire';

/** Status of a job (wire: TrainingStatus; the spec's RUNNING is `inProgress`). */
export type TrainingStatus =
  | 'pending'
  | 'inProgress'
  | 'completed'
  | 'failed'
  | 'canceled'
  | 'canceling';

/** Training script that a job runs, and its version. */
export interface TrainingScriptVersion {
  readonly itemId: RegistryItemId;
  readonly version: string;
}

/** Training job and its progress. */
export interface TrainingJob {
  readonly id: TrainingJobId;
  readonly organizationId: OrganizationId;
  readonly datasetId: DatasetId;
  readonly modelName: string;
  readonly modelVersion: string;
  /** Task of the model; `unspecified` for a script that doesn't specify it. */
  readonly task: ModelTask;
  readonly framework: ModelFramework;
  /** Training script; absent for a managed job. */
  readonly script: TrainingScriptVersion | undefined;
  /**
   * Status of the job; a number if a newer service sends a status that this client doesn't know.
   */
  readonly status: TrainingStatus | number;
  /** Reason for the failure; set only if the job has failed. */
  readonly error: string | undefined;
  readonly createdAt: Date | undefined;
  readonly modifiedAt: Date | undefined;
  readonly startedAt: Date | undefined;
  readonly endedAt: Date | undefined;
  /** ID of the package that contains the model; empty until the job has completed. */
  readonly modelPackageId: string;
  /** Labels that a managed job's model learns. */
  readonly labels: readonly string[];
  /** Command-line arguments of a script. */
  readonly arguments: Readonly<Record<string, string>>;
  /** Container in which the public cloud runs a script; empty for other services. */
  readonly container: string;
}

// Numbers in the API contract's enum, whose generated code is loaded only with the first call.
const STATUSES: Readonly<Partial<Record<WireStatus, TrainingStatus>>> = {
  1: 'pending',
  2: 'inProgress',
  3: 'completed',
  4: 'failed',
  5: 'canceled',
  6: 'canceling',
};

/** Statuses of jobs that will end, either on their own or after `cancel`. */
const IN_PROGRESS: ReadonlySet<TrainingStatus> = new Set(['pending', 'inProgress', 'canceling']);

export function trainingJobFromWire(wire: TrainingJobMetadata): TrainingJob {
  return {
    id: trainingJobId(wire.id),
    organizationId: organizationId(wire.organizationId),
    datasetId: datasetId(wire.datasetId),
    modelName: wire.modelName,
    modelVersion: wire.modelVersion,
    task: findWireName(MODEL_TASKS, wire.modelType) ?? 'unspecified',
    framework: findWireName(MODEL_FRAMEWORKS, wire.modelFramework) ?? 'unspecified',
    script: wire.isCustomJob
      ? { itemId: registryItemId(wire.registryItemId), version: wire.registryItemVersion }
      : undefined,
    status: STATUSES[wire.status] ?? wire.status,
    error: toErrorMessage(wire.errorStatus),
    createdAt: toDate(wire.createdOn),
    modifiedAt: toDate(wire.lastModified),
    startedAt: toDate(wire.trainingStarted),
    endedAt: toDate(wire.trainingEnded),
    modelPackageId: wire.syncedModelId,
    labels: wire.tags,
    arguments: { ...wire.arguments },
    container: wire.containerVersion,
  };
}

/** Returns a status's error message. An empty status with code 0 means that nothing failed. */
function toErrorMessage(status: TrainingJobMetadata['errorStatus']): string | undefined {
  if (!status || (status.code === 0 && status.message === '')) return undefined;
  // The message can quote the end of a log, with its colors.
  return stripAnsi(status.message) || `code ${status.code}`;
}

/**
 * Returns true if a job is waiting, running, or being canceled. A job with an unknown status is
 * considered in progress until it has an end time.
 */
export function isInProgress({
  status,
  endedAt,
}: Pick<TrainingJob, 'status' | 'endedAt'>): boolean {
  return typeof status === 'number' ? endedAt === undefined : IN_PROGRESS.has(status);
}

/** Returns true if a job might have ended, including jobs with an unknown status. */
export function mightHaveEnded(job: Pick<TrainingJob, 'status' | 'endedAt'>): boolean {
  return typeof job.status === 'number' || !isInProgress(job);
}

/** Log line from a training job. */
export interface TrainingLogLine {
  /** Level as the service wrote it, such as `info`. */
  readonly level: string;
  readonly at: Date | undefined;
  readonly message: string;
}

export interface TrainingLogPage {
  readonly lines: readonly TrainingLogLine[];
  /** Token for the next page; empty if there are no more lines for now. */
  readonly next: string;
}

export function trainingLogPageFromWire(wire: GetTrainingJobLogsResponse): TrainingLogPage {
  return {
    lines: wire.logs.map(({ level, time, message }) => ({ level, at: toDate(time), message })),
    next: wire.nextPageToken,
  };
}

/** Task for which a model can be trained. */
export type TrainingTask = Exclude<ModelTask, 'unspecified'>;

/** Tasks in display order. */
export const TRAINING_TASKS: readonly TrainingTask[] = [
  'singleLabelClassification',
  'multiLabelClassification',
  'objectDetection',
];

/** Returns true if the task is specified. A script doesn't have to specify its models' task. */
export function isTrainingTask(task: ModelTask): task is TrainingTask {
  return task !== 'unspecified';
}

/** Pattern for names that can be used on a command line, as in `--name=value`. */
const NAME = /^[A-Za-z_][\w-]*$/;
/**
 * Arguments that the service passes to every training script: its data file and the model's output
 * folder.
 */
const OF_SERVICE: ReadonlySet<string> = new Set(['dataset_file', 'model_output_directory']);

/** Returns true if a training script can have an argument with this name. */
export function isArgumentName(name: string): boolean {
  return NAME.test(name);
}

/** Returns true if the service itself sets this argument, so users can't set it. */
export function isServiceArgument(name: string): boolean {
  return OF_SERVICE.has(name);
}
