import type {
  TrainingJobMetadata,
  TrainingStatus as WireStatus,
} from '../../gen/viam/app/mltraining/v1/ml_training_pb';
import { dateOf } from './fromWire';
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
import { MODEL_FRAMEWORKS, MODEL_TASKS, nameOf } from './registryWire';

/** Where a job is in its life (wire: TrainingStatus; the spec's RUNNING is `inProgress`). */
export type TrainingStatus =
  | 'pending'
  | 'inProgress'
  | 'completed'
  | 'failed'
  | 'canceled'
  | 'canceling';

/** The training script of a job, in the version that it runs. */
export interface TrainingScriptVersion {
  readonly itemId: RegistryItemId;
  readonly version: string;
}

/** A training job and how far it is. */
export interface TrainingJob {
  readonly id: TrainingJobId;
  readonly organizationId: OrganizationId;
  readonly datasetId: DatasetId;
  readonly modelName: string;
  readonly modelVersion: string;
  /** `unspecified` for a script that says nothing of it. */
  readonly task: ModelTask;
  readonly framework: ModelFramework;
  /** Absent for a managed job. */
  readonly script: TrainingScriptVersion | undefined;
  /** A newer service may say what this client does not know: then its number. */
  readonly status: TrainingStatus | number;
  /** Why it failed; set only when it did. */
  readonly error: string | undefined;
  readonly createdAt: Date | undefined;
  readonly modifiedAt: Date | undefined;
  readonly startedAt: Date | undefined;
  readonly endedAt: Date | undefined;
  /** The package that the model was stored as; empty until the job has completed. */
  readonly modelPackageId: string;
  /** What a managed job learns to tell. */
  readonly labels: readonly string[];
  /** What a script is told on its command line. */
  readonly arguments: Readonly<Record<string, string>>;
  /** The container that the public cloud runs a script in; empty elsewhere. */
  readonly container: string;
}

// The numbers of the contract's enum: its generated code is loaded with the first call, not before.
const STATUSES: Readonly<Partial<Record<WireStatus, TrainingStatus>>> = {
  1: 'pending',
  2: 'inProgress',
  3: 'completed',
  4: 'failed',
  5: 'canceled',
  6: 'canceling',
};

/** Jobs that come to an end by themselves or by `cancel`. */
const UNDER_WAY: ReadonlySet<TrainingStatus> = new Set(['pending', 'inProgress', 'canceling']);

export function trainingJobFromWire(wire: TrainingJobMetadata): TrainingJob {
  return {
    id: trainingJobId(wire.id),
    organizationId: organizationId(wire.organizationId),
    datasetId: datasetId(wire.datasetId),
    modelName: wire.modelName,
    modelVersion: wire.modelVersion,
    task: nameOf(MODEL_TASKS, wire.modelType) ?? 'unspecified',
    framework: nameOf(MODEL_FRAMEWORKS, wire.modelFramework) ?? 'unspecified',
    script: wire.isCustomJob
      ? { itemId: registryItemId(wire.registryItemId), version: wire.registryItemVersion }
      : undefined,
    status: STATUSES[wire.status] ?? wire.status,
    error: errorOf(wire.errorStatus),
    createdAt: dateOf(wire.createdOn),
    modifiedAt: dateOf(wire.lastModified),
    startedAt: dateOf(wire.trainingStarted),
    endedAt: dateOf(wire.trainingEnded),
    modelPackageId: wire.syncedModelId,
    labels: wire.tags,
    arguments: { ...wire.arguments },
    container: wire.containerVersion,
  };
}

/** A status that says nothing, with code 0, says that nothing failed. */
function errorOf(status: TrainingJobMetadata['errorStatus']): string | undefined {
  if (!status || (status.code === 0 && status.message === '')) return undefined;
  return status.message || `code ${status.code}`;
}

/**
 * Whether a job still waits, runs, or stops. One in a state that this client does not know does until it
 * is told when it ended.
 */
export function isUnderWay({ status, endedAt }: Pick<TrainingJob, 'status' | 'endedAt'>): boolean {
  return typeof status === 'number' ? endedAt === undefined : UNDER_WAY.has(status);
}

/** Whether a job has ended, or may have: of a state that this client does not know the service decides. */
export function mayHaveEnded(job: Pick<TrainingJob, 'status' | 'endedAt'>): boolean {
  return typeof job.status === 'number' || !isUnderWay(job);
}
