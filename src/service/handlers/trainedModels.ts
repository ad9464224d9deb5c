import { create, type JsonObject } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { folderEntries } from '../../archives/folderEntries';
import { findFolderProblem } from '../../archives/inspectBuild';
import { packBuild } from '../../archives/packBuild';
import { ModelFramework, ModelType } from '../../gen/viam/app/mltraining/v1/ml_training_pb';
import {
  type FileInfo,
  FileInfoSchema,
  PackageInfoSchema,
  PackageType,
} from '../../gen/viam/app/packages/v1/packages_pb';
import { alreadyExists } from '../errors';
import { getPackageId, serializeContents } from '../messages/packageMessages';
import { findRegistryItem, type RegistryItemWithOwner } from '../store/registry';
import type { StoreAccess } from '../store/store';
import type { TrainingJobRow } from '../store/training/trainingSchema';
import { TrainingError } from '../training/trainingRunner';
import type { StoreModel } from '../training/prepareTraining';
import { describedItem } from './registryItems';
import { ANY_PLATFORM, type PackageDependencies, storeArchive } from './packageUploads';
import { ensureItem } from './registryWrites';

/**
 * Maximum number of files to list. A model usually has few files. If a training job writes more,
 * only the first ones are listed.
 */
const MAX_FILES = 1000;

/**
 * Patterns for files that identify a model's framework; the first match determines the framework.
 */
const FRAMEWORK_FILES: readonly (readonly [RegExp, ModelFramework])[] = [
  [/\.onnx$/i, ModelFramework.ONNX],
  [/\.tflite$/i, ModelFramework.TFLITE],
  [/\.(pt|pth)$/i, ModelFramework.PYTORCH],
  [/(^|\/)(saved_model\.pb|model\.json)$/i, ModelFramework.TENSORFLOW],
];

/**
 * Stores a training job's output as a version of a model. Creates a private registry item for the
 * model if it doesn't exist.
 */
export function trainedModels(dependencies: PackageDependencies): StoreModel {
  return async (job, folder, { signal, stored }) => {
    const files = await filesIn(folder, signal);
    if (files.length === 0) {
      throw new TrainingError('The training job produced no model: its output folder is empty.');
    }
    await requireSoundFolder(folder, signal);
    const framework = detectFramework(files) ?? job.model_framework;
    const metadata = createModelMetadata(job, framework);
    const { organization_id, model_name, model_version } = job;
    const named = create(PackageInfoSchema, { files: files.slice(0, MAX_FILES), metadata });
    await storeArchive(
      dependencies,
      {
        name: model_name,
        find: (access) => findModel(access, job),
        create: (access) =>
          ensureItem(
            { store: access, now: dependencies.now },
            organization_id,
            model_name,
            PackageType.ML_MODEL,
            describedItem(PackageType.ML_MODEL, metadata),
          ),
        stored: (access) =>
          stored(access, {
            packageId: getPackageId({ organization_id, name: model_name }),
            framework,
          }),
      },
      {
        version: model_version,
        platform: ANY_PLATFORM,
        platformTags: [],
        info: serializeContents(named),
      },
      packBuild(folder, { signal }),
      { signal },
    ).catch((error: unknown) => {
      throw error instanceof ConnectError && error.code === Code.AlreadyExists
        ? alreadyExists(
            `Version ${model_version} of the model "${model_name}" was uploaded while the job was running. Submit ` +
              'the job again with another version.',
          )
        : error;
    });
  };
}

/**
 * Validates a model against the rules for module builds, because machines unpack both in the same
 * way.
 * @throws TrainingError that describes the first problem, such as a link to a file outside the
 *   folder
 */
async function requireSoundFolder(folder: string, signal: AbortSignal): Promise<void> {
  const problem = await findFolderProblem(folder, signal);
  if (problem === undefined) return;
  throw new TrainingError(`The output of the training job can't be used as a model. ${problem}`);
}

/**
 * @throws TrainingError if an item of another type has taken the name since the job was
 *   submitted.
 */
async function findModel(
  access: StoreAccess,
  { organization_id, model_name }: TrainingJobRow,
): Promise<RegistryItemWithOwner | undefined> {
  const item = await findRegistryItem(access, organization_id, model_name);
  if (item !== undefined && (item.type as PackageType) !== PackageType.ML_MODEL) {
    throw new TrainingError(
      `The organization now has a registry item "${model_name}" that is not a model. Submit the job ` +
        'again with another model name.',
    );
  }
  return item;
}

async function filesIn(folder: string, signal: AbortSignal): Promise<FileInfo[]> {
  const files: FileInfo[] = [];
  for await (const { path, type, size } of folderEntries(folder, () => false, signal)) {
    if (type === 'file') files.push(create(FileInfoSchema, { name: path, size: BigInt(size) }));
  }
  return files;
}

function detectFramework(files: readonly FileInfo[]): ModelFramework | undefined {
  return FRAMEWORK_FILES.find(([pattern]) => files.some(({ name }) => pattern.test(name)))?.[1];
}

/**
 * Returns the version's metadata, with the same fields that clients use when they upload models.
 */
function createModelMetadata(
  { id, dataset_id, model_type }: TrainingJobRow,
  framework: number,
): JsonObject {
  return {
    model_type: (ModelType[model_type] ?? '').toLowerCase(),
    model_framework: (ModelFramework[framework] ?? '').toLowerCase(),
    training_job_id: id,
    dataset_id,
  };
}
