import { existsSync } from 'node:fs';
import type { Logger } from '../../base/logger';
import { CustomTrainer } from './custom/customTrainer';
import { ManagedTrainer } from './managed/managedTrainer';
import type { Trainers } from './trainingRunner';

export interface TrainersOptions {
  /** The bundled program of training processes; absent or missing, the service trains nothing itself. */
  trainingProgram?: string | undefined;
  /** Whether scripts of the registry are run, which do what they like with the rights of the service. */
  allowTrainingScripts?: boolean | undefined;
  /** Take the place of those that the options above say. Tests have trainers of their own. */
  trainers?: Trainers | undefined;
}

/** What a service trains with, by what its operator has allowed and installed. */
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
