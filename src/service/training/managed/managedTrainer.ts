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

/** What one training may take. Tests use less. */
export interface ManagedLimits {
  /** Images that it learns from and is tried on; of more, so many are taken. */
  images: number;
  /** Of these images together: large ones take long to read, and a training has other things to do. */
  megapixels: number;
  /** How often it goes through them at most. */
  epochs: number;
  /** What its process may hold. */
  memoryBytes: number;
  /** After how many seconds it is ended. */
  seconds: number;
}

const DEFAULT_LIMITS: ManagedLimits = {
  images: 4000,
  // Some 15 minutes on a slow processor, and all 4000 of up to 0.6 megapixels.
  megapixels: 2500,
  epochs: 60,
  memoryBytes: Math.min(Math.max(machineMemory() / 4, 1024 * MIB), 3072 * MIB),
  seconds: 3600,
};

export interface ManagedTrainerOptions {
  /** The bundled program of training processes; absent, every training fails. */
  program: string | undefined;
  logger: Logger;
  limits?: Partial<ManagedLimits> | undefined;
}

/** Trains small networks on the images of a dataset, each training in a process of its own. */
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
