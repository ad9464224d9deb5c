import type { ModelTask } from './registryItem';

/** What a model can be trained for. */
export type TrainingTask = Exclude<ModelTask, 'unspecified'>;

/** In the order in which people are asked. */
export const TRAINING_TASKS: readonly TrainingTask[] = [
  'singleLabelClassification',
  'multiLabelClassification',
  'objectDetection',
];

/** Whether a task is one; a script need not say what its models are for. */
export function isTrainingTask(task: ModelTask): task is TrainingTask {
  return task !== 'unspecified';
}
