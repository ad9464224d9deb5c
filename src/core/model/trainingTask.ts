import type { ModelTask } from './registryItem';

/** Task for which a model can be trained. */
export type TrainingTask = Exclude<ModelTask, 'unspecified'>;

/** Tasks in display order. */
export const TRAINING_TASKS: readonly TrainingTask[] = [
  'singleLabelClassification',
  'multiLabelClassification',
  'objectDetection',
];

/**
 * Returns true if the task is specified. A script doesn't have to specify the task of its models.
 */
export function isTrainingTask(task: ModelTask): task is TrainingTask {
  return task !== 'unspecified';
}
