import { CustomTrainer } from './custom/customTrainer';
import type { Trainers } from './trainingRunner';

export interface TrainersOptions {
  /** Whether scripts of the registry are run, which do what they like with the rights of the service. */
  allowTrainingScripts?: boolean | undefined;
  /** Take the place of those that the options above say. Tests have trainers of their own. */
  trainers?: Trainers | undefined;
}

/** What a service trains with, by what whoever operates it has allowed and installed. */
export function openTrainers({ allowTrainingScripts, trainers }: TrainersOptions): Trainers {
  const custom =
    allowTrainingScripts === true ? new CustomTrainer({ environment: process.env }) : undefined;
  return { custom, ...trainers };
}
