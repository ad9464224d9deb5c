import { existsSync } from 'node:fs';
import { TrainingFolders } from './trainingFolders';
import { type TrainingLimits, TrainingQueue, type TrainingQueueOptions } from './trainingQueue';
import {
  type ManagedTraining,
  type Trainers,
  TrainingError,
  type TrainingOptions,
  type TrainingRunner,
} from './trainingRunner';
import type { Logger } from '../../base/logger';
import { CustomTrainer } from './custom/customTrainer';
import { machineMemory } from '../processes/processGuard';
import { ManagedChoice } from './managed/managedChoice';
import { TrainerProcess } from './managed/trainerProcess';

/** Trainers and folders for a service's training jobs. */
export interface TrainingsOptions extends TrainersOptions {
  /** Folder for the files of running training jobs; if absent, a temporary folder is used. */
  trainingDir?: string | undefined;
  /** Limits of training jobs that override the defaults. */
  trainingLimits?: Partial<TrainingLimits> | undefined;
}

/** Dependencies that the service provides to training jobs. */
type TrainingContext = Omit<TrainingQueueOptions, 'trainers' | 'folders' | 'limits'>;

/** Runs a service's training jobs after the service has started. */
export interface Trainings {
  readonly queue: TrainingQueue;
  readonly trainers: Trainers;
  /** Stops running jobs. Deletes the folder if it is temporary. */
  close(): Promise<void>;
}

/** Opens the folder for training jobs, and deletes the files that an earlier process left there. */
export async function openTrainings(
  options: TrainingsOptions,
  context: TrainingContext,
): Promise<Trainings> {
  const trainers = openTrainers({ ...options, logger: context.logger });
  const folders = await TrainingFolders.open(options.trainingDir, context.logger);
  const limits = options.trainingLimits;
  const queue = new TrainingQueue({ ...context, trainers, folders, limits });
  return {
    queue,
    trainers,
    async close() {
      await queue.close();
      await folders.close();
    },
  };
}

interface TrainersOptions {
  /**
   * Path of the bundled training process program; if absent or missing, the service doesn't support
   * managed training.
   */
  trainingProgram?: string | undefined;
  /**
   * True to allow registry scripts to run. These scripts can do anything that the service has
   * permission to do.
   */
  allowTrainingScripts?: boolean | undefined;
  /** Trainers that override the options above, for tests. */
  trainers?: Trainers | undefined;
}

/**
 * Returns a service's trainers, based on the features that its operator has enabled and installed.
 */
function openTrainers({
  trainingProgram: program,
  allowTrainingScripts,
  trainers,
  logger,
}: TrainersOptions & { readonly logger: Logger }): Trainers {
  const isInstalled = program !== undefined && existsSync(program);
  return {
    managed: isInstalled ? new ManagedTrainer({ program, logger }) : undefined,
    custom:
      allowTrainingScripts === true ? new CustomTrainer({ environment: process.env }) : undefined,
    ...trainers,
  };
}

const MIB = 1024 * 1024;

/** Resource limits for one training job. Tests use lower limits. */
export interface ManagedLimits {
  /** Maximum number of images for training and evaluation; larger datasets are sampled. */
  images: number;
  /** Maximum total size of these images. Large images take a long time to decode. */
  megapixels: number;
  /** Maximum number of epochs. */
  epochs: number;
  /** Memory limit for the job's process. */
  memoryBytes: number;
  /** Number of seconds after which the job is aborted. */
  seconds: number;
}

const DEFAULT_LIMITS: ManagedLimits = {
  images: 4000,
  // Training with this limit takes about 15 minutes on a slow processor. The limit allows 4,000
  // images of up to 0.6 megapixels each.
  megapixels: 2500,
  epochs: 60,
  memoryBytes: Math.min(Math.max(machineMemory() / 4, 1024 * MIB), 3072 * MIB),
  seconds: 3600,
};

export interface ManagedTrainerOptions {
  /** Path of the bundled training process program; if absent, every training job fails. */
  program: string | undefined;
  logger: Logger;
  limits?: Partial<ManagedLimits> | undefined;
}

/** Trains small networks on the images in a dataset, each job in a separate process. */
export class ManagedTrainer implements TrainingRunner<ManagedTraining> {
  private readonly limits: ManagedLimits;

  constructor(private readonly options: ManagedTrainerOptions) {
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
  }

  choice({ task, labels }: ManagedTraining): ManagedChoice {
    return new ManagedChoice(task, labels, this.limits);
  }

  async run(training: ManagedTraining, { signal, log }: TrainingOptions): Promise<void> {
    signal.throwIfAborted();
    const { program, logger } = this.options;
    if (program === undefined || !existsSync(program)) {
      throw new TrainingError(
        'Training is not available: this installation is missing the training component. Ask your administrator to reinstall the service.',
      );
    }
    const { epochs, memoryBytes, seconds } = this.limits;
    const { task, labels, datasetFile, outputFolder } = training;
    await using process = new TrainerProcess({ program, memoryBytes, logger });
    await process.run(
      { task, labels, datasetFile, outputFolder, maxEpochs: epochs },
      { seconds, signal, log },
    );
  }
}
