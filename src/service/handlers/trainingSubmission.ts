import { fromJsonString } from '@bufbuild/protobuf';
import { isDatasetTag } from '../../core/model/itemTags';
import { isArgumentName, isArgumentOfService } from '../../core/model/scriptArgumentNames';
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
import type { StoreAccess } from '../store/store';
import {
  countWaitingJobs,
  insertTrainingJob,
  isVersionOfJob,
  type NewTrainingJob,
} from '../store/training/trainingJobs';
import { requireText } from './handlerSupport';
import { readableItem, requireItemName } from './registryItems';

/** Jobs of an organization that may wait at a time: each is a training that somebody waits for. */
const MOST_WAITING = 100;
/** Lists hold the labels and arguments of all jobs. */
const MOST_CHARACTERS = 64 * 1024;
/** What the service makes, and what clients of the public service ask for by habit. */
const FRAMEWORKS: readonly ModelFramework[] = [
  ModelFramework.UNSPECIFIED,
  ModelFramework.TFLITE,
  ModelFramework.TENSORFLOW,
  ModelFramework.ONNX,
];

/** What both kinds of jobs are about. */
type Subject = Pick<
  SubmitTrainingJobRequest,
  'organizationId' | 'datasetId' | 'modelName' | 'modelVersion'
>;
/** What only one kind of jobs has. */
type Particulars = Omit<
  NewTrainingJob,
  'id' | 'created_at' | 'organization_id' | 'dataset_id' | 'model_name' | 'model_version'
>;

/**
 * What a managed job has of its own.
 * @throws InvalidArgument for labels that no image can have, and frameworks that the service never makes.
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
      throw invalid(`tags: "${label}" says that an item is in a dataset, and is no label`);
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
    ...{ script_id: null, script_item_id: null, script_version: null },
    ...{ arguments: '{}', container_version: '' },
  };
}

/**
 * What a custom job has of its own.
 * @throws NotFound when the script or its version is not there, or the caller may not read it;
 *   InvalidArgument for arguments that no command line can have.
 */
export async function customParticulars(
  access: StoreAccess,
  principal: Principal,
  request: SubmitCustomTrainingJobRequest,
): Promise<Particulars> {
  const { registryItemId, registryItemVersion: asked } = request;
  const kind = 'training script';
  const item = await readableItem(access, principal, registryItemId, kind);
  if ((item.type as PackageType) !== PackageType.ML_TRAINING) {
    throw notFound(kind, registryItemId);
  }
  const version = await versionThere(access, item.id, asked);
  if (version === undefined) {
    throw notFound(kind, `${registryItemId} ${asked}`);
  }
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

/** The version that is asked for, which may be the newest; undefined when there is none. */
async function versionThere(
  access: StoreAccess,
  itemId: string,
  asked: string,
): Promise<string | undefined> {
  if (asked === LATEST) {
    return (await listVersionSummaries(access, [itemId])).at(-1)?.version;
  }
  return (await findVersion(access, itemId, asked))?.version;
}

function checkArguments(given: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(given)) {
    if (!isArgumentName(name)) {
      throw invalid(
        `arguments: "${name}" must consist of letters, digits, dashes and underscores, and begin with none of digits and dashes`,
      );
    }
    if (isArgumentOfService(name)) {
      throw invalid(`arguments: "${name}" is told to scripts by the service: leave it out`);
    }
    requireText(value, `arguments.${name}`);
  }
}

function boundedJson(value: unknown, field: string): string {
  const text = JSON.stringify(value);
  if (text.length > MOST_CHARACTERS) {
    throw invalid(
      `${field}: must not be larger than ${String(MOST_CHARACTERS / 1024)} KiB as JSON`,
    );
  }
  return text;
}

/**
 * Adds a job that waits to be run. Run it in a transaction.
 * @throws NotFound when the organization has no such dataset; InvalidArgument for names that no model
 *   can have; AlreadyExists when the model has the version, a job is to make it, or an item of another
 *   type has the name; ResourceExhausted when too many jobs wait.
 */
export async function addJob(
  access: StoreAccess,
  subject: Subject,
  particulars: Particulars,
  made: Pick<NewTrainingJob, 'id' | 'created_at'>,
): Promise<void> {
  const { organizationId, datasetId, modelName, modelVersion } = subject;
  const [dataset] = await findDatasets(access, [datasetId]);
  if (dataset?.organization_id !== organizationId) {
    throw notFound('dataset', datasetId);
  }
  const model = {
    organization_id: organizationId,
    model_name: requireItemName(modelName, 'model_name'),
    model_version: modelVersion,
  };
  await requireFreeVersion(access, model);
  if ((await countWaitingJobs(access, organizationId)) >= MOST_WAITING) {
    throw exhausted(
      `${String(MOST_WAITING)} training jobs of the organization are already waiting: cancel some, or submit this one when they have finished`,
    );
  }
  const job = { ...made, ...model, ...particulars, dataset_id: datasetId };
  if (!(await insertTrainingJob(access, job))) {
    throw takenByJob(model);
  }
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
  if (await isVersionOfJob(access, model)) {
    throw takenByJob(model);
  }
}

function takenByJob({ model_name, model_version }: Model) {
  return alreadyExists(
    `model_version: another training job already creates or created version ${model_version} of model "${model_name}": use another version`,
  );
}
