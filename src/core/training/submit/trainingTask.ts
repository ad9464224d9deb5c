import type { TrainingKind } from '../../data/datasets/trainingLabels';
import type { ModelTask } from '../../model/registryItem';

/** What a model can be trained for. */
export type TrainingTask = Exclude<ModelTask, 'unspecified'>;

/** In the order in which people are asked. */
export const TRAINING_TASKS: readonly TrainingTask[] = [
  'singleLabelClassification',
  'multiLabelClassification',
  'objectDetection',
];

/** What of a dataset a task learns from: boxes, or what is said of whole images. */
export function kindOfTask(task: TrainingTask): TrainingKind {
  return task === 'objectDetection' ? 'detection' : 'classification';
}

/** Whether a task is one; a script need not say what its models are for. */
export function isTrainingTask(task: ModelTask): task is TrainingTask {
  return task !== 'unspecified';
}
