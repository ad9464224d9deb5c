import { openTrainers, type TrainersOptions } from './openTrainers';
import { TrainingFolders } from './trainingFolders';
import { type TrainingLimits, TrainingQueue, type TrainingQueueOptions } from './trainingQueue';
import type { Trainers } from './trainingRunner';

/** Trainers and folders of a service's training jobs. */
export interface TrainingsOptions extends TrainersOptions {
  /** Folder for the files of running training jobs; if absent, a temporary folder is used. */
  trainingDir?: string | undefined;
  /** Limits of training jobs that override the defaults. */
  trainingLimits?: Partial<TrainingLimits> | undefined;
}

/** Dependencies that the service provides to training jobs. */
type TrainingContext = Omit<TrainingQueueOptions, 'trainers' | 'folders' | 'limits'>;

/** Runs the training jobs of a service after the service has started. */
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
