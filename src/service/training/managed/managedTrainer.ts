import { existsSync } from 'node:fs';
import type { Logger } from '../../../base/logger';
import { machineMemory } from '../../processes/machineMemory';
import {
  type ManagedTraining,
  TrainingFailure,
  type TrainingOptions,
  type TrainingRunner,
} from '../trainingRunner';
import { ManagedChoice } from './managedChoice';
import { TrainerProcess } from './trainerProcess';

const MIB = 1024 * 1024;

/** Resource limits of one training job. Tests use lower limits. */
export interface ManagedLimits {
  /** Maximum number of images for training and evaluation; larger datasets are sampled. */
  images: number;
  /** Maximum total size of these images, because large images take a long time to decode. */
  megapixels: number;
  /** Maximum number of epochs. */
  epochs: number;
  /** Memory limit of the job's process. */
  memoryBytes: number;
  /** Number of seconds after which the job is aborted. */
  seconds: number;
}

const DEFAULT_LIMITS: ManagedLimits = {
  images: 4000,
  // Takes about 15 minutes on a slow processor. The limit allows 4,000 images of up to 0.6
  // megapixels each.
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

/** Trains small networks on the images of a dataset, each job in a separate process. */
export class ManagedTrainer implements TrainingRunner<ManagedTraining> {
  readonly #limits: ManagedLimits;

  constructor(private readonly options: ManagedTrainerOptions) {
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
  }

  choice({ task, labels }: ManagedTraining): ManagedChoice {
    return new ManagedChoice(task, labels, this.#limits);
  }

  async run(training: ManagedTraining, { signal, log }: TrainingOptions): Promise<void> {
    signal.throwIfAborted();
    const { program, logger } = this.options;
    if (program === undefined || !existsSync(program)) {
      throw new TrainingFailure(
        'Training is not available: this installation is missing the training component. Ask your administrator to reinstall the service.',
      );
    }
    const { epochs, memoryBytes, seconds } = this.#limits;
    const { task, labels, datasetFile, outputFolder } = training;
    await using process = new TrainerProcess({ program, memoryBytes, logger });
    await process.run(
      { task, labels, datasetFile, outputFolder, maxEpochs: epochs },
      { seconds, signal, log },
    );
  }
}
