import { openTrainers, type TrainersOptions } from './openTrainers';
import { TrainingFolders } from './trainingFolders';
import { type TrainingLimits, TrainingQueue, type TrainingQueueOptions } from './trainingQueue';
import type { Trainers } from './trainingRunner';

/** What a service trains with, and where. */
export interface TrainingsOptions extends TrainersOptions {
  /** Where trainings keep their files while they go on; absent, in a temporary folder. */
  trainingDir?: string | undefined;
  /** What trainings may take, where it is less or more than they usually may. */
  trainingLimits?: Partial<TrainingLimits> | undefined;
}

/** What a service trains for. */
type TrainingsGround = Omit<TrainingQueueOptions, 'trainers' | 'folders' | 'limits'>;

/** What runs the jobs of a service, once it was started. */
export interface Trainings {
  readonly queue: TrainingQueue;
  readonly trainers: Trainers;
  /** Stops what runs, and removes the folder where it was a temporary one. */
  close(): Promise<void>;
}

/** Opens the folder of trainings, and removes what those of an earlier process left. */
export async function openTrainings(
  options: TrainingsOptions,
  ground: TrainingsGround,
): Promise<Trainings> {
  const trainers = openTrainers({ ...options, logger: ground.logger });
  const folders = await TrainingFolders.open(options.trainingDir);
  const limits = options.trainingLimits;
  const queue = new TrainingQueue({ ...ground, trainers, folders, limits });
  return {
    queue,
    trainers,
    async close() {
      await queue.close();
      await folders.close();
    },
  };
}
