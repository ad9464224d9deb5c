import { fromJsonString } from '@bufbuild/protobuf';
import { isDatasetTag } from '../../core/model/binaryItem';
import { isArgumentName, isServiceArgument } from '../../core/model/trainingJob';
import { LATEST } from '../../core/model/versionPin';
import {
  ModelFramework,
  type SubmitCustomTrainingJobRequest,
  type SubmitTrainingJobRequest,
} from '../../gen/viam/app/mltraining/v1/ml_training_pb';
import { PackageType } from '../../gen/viam/app/packages/v1/packages_pb';
import { MLTrainingMetadataSchema } from '../../gen/viam/app/v1/registry_pb';
import type { Principal } from '../auth/principal';
import { alreadyExists, exhausted, invalid, notFound } from '../errors';
import { findDatasets } from '../store/data/datasets';
import { findVersion, listVersionSummaries } from '../store/packages';
import { findRegistryItem } from '../store/registry';
import { lockRow, type StoreAccess } from '../store/store';
import {
  countWaitingJobs,
  insertTrainingJob,
  hasJobForVersion,
  type NewTrainingJob,
} from '../store/training/trainingJobs';
import { requireText } from './handlerSupport';
import { readableItem, requireItemName } from './registryItems';

/** Maximum number of waiting jobs per organization. */
const MAX_WAITING_JOBS = 100;
/** Time in milliseconds after which another job can have finished. Most take longer than a minute. */
const QUEUE_RETRY_MS = 60_000;
/**
 * Maximum number of characters in a job's labels and arguments. It is limited because a list
 * contains the labels and arguments for all jobs.
 */
const MAX_CHARS = 64 * 1024;
/**
 * Frameworks that requests can specify: the supported ones, and those that the public service's
 * clients request by default.
 */
const FRAMEWORKS: readonly ModelFramework[] = [
  ModelFramework.UNSPECIFIED,
  ModelFramework.TFLITE,
  ModelFramework.TENSORFLOW,
  ModelFramework.ONNX,
];

/** Fields that both kinds of jobs have. */
type Subject = Pick<
  SubmitTrainingJobRequest,
  'organizationId' | 'datasetId' | 'modelName' | 'modelVersion'
>;
/** Fields that only one kind of job has. */
type Particulars = Omit<
  NewTrainingJob,
  'id' | 'created_at' | 'organization_id' | 'dataset_id' | 'model_name' | 'model_version'
>;

/**
 * Returns the specific fields of a managed job.
 * @throws InvalidArgument for labels that no image can have and for unsupported frameworks.
 */
export function managedParticulars(request: SubmitTrainingJobRequest): Particulars {
  if (!FRAMEWORKS.includes(request.modelFramework)) {
    throw invalid(
      'model_framework: this service trains models for ONNX: use MODEL_FRAMEWORK_ONNX or omit it',
    );
  }
  const labels = [...new Set(request.tags)];
  for (const label of labels) {
    requireText(label, 'tags');
    if (isDatasetTag(label)) {
      throw invalid(
        `tags: "${label}" is reserved for dataset membership and can't be used as a label`,
      );
    }
    if (/[\r\n]/.test(label)) {
      throw invalid(
        `tags: ${JSON.stringify(label)} contains line breaks, but models list one label per line`,
      );
    }
  }
  return {
    model_type: request.modelType,
    model_framework: request.modelFramework,
    labels: boundedJson(labels, 'tags'),
    script_id: null,
    script_item_id: null,
    script_version: null,
    arguments: '{}',
    container_version: '',
  };
}

/**
 * Returns the specific fields of a custom job.
 * @throws NotFound if the script or its version doesn't exist or the caller can't read it;
 *   InvalidArgument for arguments that are not valid on a command line.
 */
export async function customParticulars(
  access: StoreAccess,
  principal: Principal,
  request: SubmitCustomTrainingJobRequest,
): Promise<Particulars> {
  const { registryItemId, registryItemVersion: requestedVersion } = request;
  const kind = 'training script';
  const item = await readableItem(access, principal, registryItemId, kind);
  if ((item.type as PackageType) !== PackageType.ML_TRAINING) throw notFound(kind, registryItemId);
  const version = await versionThere(access, item.id, requestedVersion);
  if (version === undefined) throw notFound(kind, `${registryItemId} ${requestedVersion}`);
  checkArguments(request.arguments);
  const { modelType, modelFramework } = fromJsonString(MLTrainingMetadataSchema, item.metadata);
  return {
    model_type: modelType,
    model_framework: modelFramework,
    labels: '[]',
    script_id: registryItemId,
    script_item_id: item.id,
    script_version: version,
    arguments: boundedJson(request.arguments, 'arguments'),
    container_version: requireText(request.containerVersion, 'container_version'),
  };
}

/**
 * Returns the requested version, or the newest one if the request specifies it; undefined if the
 * version doesn't exist.
 */
async function versionThere(
  access: StoreAccess,
  itemId: string,
  requestedVersion: string,
): Promise<string | undefined> {
  if (requestedVersion === LATEST) {
    return (await listVersionSummaries(access, [itemId])).at(-1)?.version;
  }
  return (await findVersion(access, itemId, requestedVersion))?.version;
}

function checkArguments(scriptArguments: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(scriptArguments)) {
    if (!isArgumentName(name)) {
      throw invalid(
        `arguments: "${name}" must consist of letters, digits, dashes, and underscores, and can't begin with a digit or dash`,
      );
    }
    if (isServiceArgument(name)) {
      throw invalid(`arguments: "${name}" is set by the service: remove it`);
    }
    requireText(value, `arguments.${name}`);
  }
}

function boundedJson(value: unknown, field: string): string {
  const text = JSON.stringify(value);
  if (text.length > MAX_CHARS) {
    throw invalid(`${field}: must not be larger than ${String(MAX_CHARS / 1024)} KiB as JSON`);
  }
  return text;
}

/**
 * Adds a waiting job. Must run in a transaction.
 * @throws NotFound if the organization doesn't have the dataset; InvalidArgument for names that are
 *   not valid for a model; AlreadyExists if the model already has the version, another job will
 *   create it, or an item of another type has the name; ResourceExhausted if too many jobs are
 *   waiting.
 */
export async function addJob(
  access: StoreAccess,
  subject: Subject,
  particulars: Particulars,
  made: Pick<NewTrainingJob, 'id' | 'created_at'>,
): Promise<void> {
  const { organizationId, datasetId, modelName, modelVersion } = subject;
  // Jobs that are submitted at the same time must count each other.
  await lockRow(access, 'organizations', organizationId);
  const [dataset] = await findDatasets(access, [datasetId]);
  if (dataset?.organization_id !== organizationId) throw notFound('dataset', datasetId);
  const model = {
    organization_id: organizationId,
    model_name: requireItemName(modelName, 'model_name'),
    model_version: modelVersion,
  };
  await requireFreeVersion(access, model);
  if ((await countWaitingJobs(access, organizationId)) >= MAX_WAITING_JOBS) {
    throw exhausted(
      `${String(MAX_WAITING_JOBS)} training jobs of the organization are already waiting: cancel some, or submit this one when they have finished`,
      QUEUE_RETRY_MS,
    );
  }
  const job = { ...made, ...model, ...particulars, dataset_id: datasetId };
  if (!(await insertTrainingJob(access, job))) throw createVersionTakenError(model);
}

type Model = Pick<NewTrainingJob, 'organization_id' | 'model_name' | 'model_version'>;

async function requireFreeVersion(access: StoreAccess, model: Model): Promise<void> {
  const { organization_id, model_name, model_version } = model;
  const item = await findRegistryItem(access, organization_id, model_name);
  if (item !== undefined && (item.type as PackageType) !== PackageType.ML_MODEL) {
    throw alreadyExists(
      `model_name: the organization has a registry item "${model_name}" that is not a model: use another name`,
    );
  }
  if (item && (await findVersion(access, item.id, model_version))) {
    throw alreadyExists(
      `model_version: model "${model_name}" has the version ${model_version}: choose another version`,
    );
  }
  if (await hasJobForVersion(access, model)) throw createVersionTakenError(model);
}

function createVersionTakenError({ model_name, model_version }: Model) {
  return alreadyExists(
    `model_version: another training job already creates or created version ${model_version} of model "${model_name}": use another version`,
  );
}
