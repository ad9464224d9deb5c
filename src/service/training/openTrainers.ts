import { existsSync } from 'node:fs';
import type { Logger } from '../../base/logger';
import { CustomTrainer } from './custom/customTrainer';
import { ManagedTrainer } from './managed/managedTrainer';
import type { Trainers } from './trainingRunner';

export interface TrainersOptions {
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
 * Returns the trainers of a service, based on the features that its operator has enabled and
 * installed.
 */
export function openTrainers({
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
