import type { ModelTask } from './registryItem';

/** Task that a model can be trained for. */
export type TrainingTask = Exclude<ModelTask, 'unspecified'>;

/** In display order. */
export const TRAINING_TASKS: readonly TrainingTask[] = [
  'singleLabelClassification',
  'multiLabelClassification',
  'objectDetection',
];

/**
 * Returns true if the task is specified; a script doesn't have to specify the task of its models.
 */
export function isTrainingTask(task: ModelTask): task is TrainingTask {
  return task !== 'unspecified';
}
