import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { platformName, platformsFor } from '../../core/model/packageNames';
import { findWireName, MODEL_TASKS } from '../../core/model/registryWire';
import { isTrainingTask, type TrainingTask } from '../../core/model/trainingJob';
import { DamagedBlobError } from '../blobs/blobChecks';
import type { BlobStore } from '../blobs/blobStore';
import { type DamageReports, MISSING_BLOB } from '../blobs/damageReports';
import { listPackageFiles } from '../store/packages';
import type { Store, StoreAccess } from '../store/store';
import type { TrainingJobRow } from '../store/training/trainingSchema';
import {
  type Trainers,
  TrainingError,
  type TrainingFolder,
  type TrainingOptions,
} from './trainingRunner';
import { writeDataset } from './writeDataset';
import type { PackageFileRow } from '../store/registrySchema';

const SCRIPT_ARCHIVE = 'script.tar.gz';

/** Error message for a job that none of the service's trainers supports. */
export const NO_TRAINER = {
  managed:
    "This service can't train models by itself because it was installed without the training component.",
  custom:
    "This service doesn't run training scripts. Its operator can allow them with --allow-custom-training, or in the VS Code settings if VS Code starts the service.",
} as const;

/** A model that is or will be stored. */
export interface StoredModel {
  /** ID of the model's packages. */
  readonly packageId: string;
  /** Numeric value of ModelFramework on the wire. */
  readonly framework: number;
}

/**
 * Stores a folder's contents as the model version that a job requests. `stored` runs in the same
 * transaction; if it throws, everything is rolled back.
 */
export type StoreModel = (
  job: TrainingJobRow,
  folder: string,
  options: {
    readonly signal: AbortSignal;
    readonly stored: (access: StoreAccess, model: StoredModel) => Promise<void>;
  },
) => Promise<void>;

/** Dependencies of training jobs. */
export interface TrainingWorkshop {
  readonly store: Store;
  readonly blobs: BlobStore;
  readonly damageReports: DamageReports;
  readonly trainers: Trainers;
}

/**
 * Writes what a job needs to its folder, which must be empty.
 *
 * @returns a function that runs the job. Afterward, the model is in the output folder.
 * @throws TrainingError if the job can't be run, and, from the function, if it produces no model;
 *   the signal's reason if the signal is aborted; Unavailable if the store doesn't respond
 */
export async function prepareTraining(
  workshop: TrainingWorkshop,
  job: TrainingJobRow,
  folder: TrainingFolder,
  options: TrainingOptions,
): Promise<() => Promise<void>> {
  const { managed, custom } = workshop.trainers;
  const itemId = job.script_item_id;
  let run: () => Promise<void>;
  if (itemId === null) {
    const trainer = present(managed, 'managed');
    const labels = parseStrings(job.labels);
    const training = { ...folder, kind: 'managed', task: toTrainingTask(job), labels } as const;
    await writeDataset(workshop, job, folder.datasetFile, options, trainer.choice?.(training));
    run = () => trainer.run(training, options);
  } else {
    const trainer = present(custom, 'custom');
    // Writes the script first because it is small. If the script was deleted, the dataset then
    // isn't copied unnecessarily.
    const archive = await writeScript(workshop, job, itemId, folder, options.signal);
    await writeDataset(workshop, job, folder.datasetFile, options);
    const scriptArguments = JSON.parse(job.arguments) as Record<string, string>;
    const training = { ...folder, kind: 'custom', archive, arguments: scriptArguments } as const;
    run = () => trainer.run(training, options);
  }
  return async () => {
    await run();
    options.signal.throwIfAborted();
  };
}

function present<T>(trainer: T | undefined, kind: keyof Trainers): T {
  if (trainer === undefined) throw new TrainingError(NO_TRAINER[kind]);
  return trainer;
}

function toTrainingTask({ model_type }: TrainingJobRow): TrainingTask {
  const task = findWireName(MODEL_TASKS, model_type);
  if (task === undefined || !isTrainingTask(task)) {
    throw new TrainingError(`The service doesn't train models of the type ${String(model_type)}.`);
  }
  return task;
}

function parseStrings(json: string): string[] {
  return JSON.parse(json) as string[];
}

/** Writes the archive of a job's script to the job's folder. */
async function writeScript(
  { store, blobs, damageReports }: TrainingWorkshop,
  { script_id, script_version }: TrainingJobRow,
  itemId: string,
  { folder }: TrainingFolder,
  signal: AbortSignal,
): Promise<string> {
  const script = `${script_id ?? ''} ${script_version ?? ''}`;
  const files = await listPackageFiles(store, [itemId]);
  const ofVersion = files.filter(({ version }) => version === script_version);
  const file = scriptArchive(script, ofVersion, platformName(process.platform, process.arch));
  if (file === undefined) {
    throw new TrainingError(
      `The training script ${script} was deleted. Submit the job with an existing version.`,
    );
  }
  const { id, blob_hash: hash, file_size: size } = file;
  const archive = join(folder, SCRIPT_ARCHIVE);
  try {
    const content = await blobs.open({ hash, size });
    if (content === undefined) throw MISSING_BLOB;
    await pipeline(content, createWriteStream(archive, { flags: 'wx' }), { signal });
  } catch (error) {
    if (!(error instanceof DamagedBlobError)) throw error;
    damageReports.report({ kind: 'package file', id, hash }, error);
    throw new TrainingError(
      `The archive of the training script ${script} is damaged in the storage of the fleet service. Upload it ` +
        'again as another version.',
    );
  }
  return archive;
}

/**
 * Returns a script version's archive that best matches a platform: an archive for the platform
 * itself, or otherwise an archive for any platform.
 * @param script the script's ID and version, for messages.
 * @param archives the version's archives.
 * @returns undefined if the version has no archives.
 * @throws TrainingError if no archive matches.
 */
function scriptArchive<T extends Pick<PackageFileRow, 'platform'>>(
  script: string,
  archives: readonly T[],
  platform: string,
): T | undefined {
  for (const suited of platformsFor(platform)) {
    const archive = archives.find((one) => one.platform === suited);
    if (archive) return archive;
  }
  if (archives.length === 0) return undefined;
  const others = archives.map((one) => one.platform).join(', ');
  throw new TrainingError(
    `The training script ${script} has no archive for ${platform}, which the fleet service runs on. It has archives for ${others}. Upload a version for ${platform}, or for any platform.`,
  );
}
