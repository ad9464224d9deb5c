import {
  type DatasetReadiness,
  type LabelCount,
  TRAINING_MINIMUM,
  type TrainingReadiness,
} from '../../data/datasets/datasetReadiness';
import type { TrainingKind } from '../../data/datasets/trainingLabels';
import type { TrainingTask } from '../../model/trainingTask';

/** Something that a dataset lacks for a training that somebody wants. */
export type TrainingLack =
  /** Images altogether. @see TRAINING_MINIMUM */
  | { readonly kind: 'images'; readonly missing: number }
  /** Images with a label of whatever kind the task learns from. */
  | { readonly kind: 'labelled'; readonly missing: number }
  /** Examples of these labels. */
  | { readonly kind: 'examples'; readonly labels: readonly LabelCount[] }
  /** A model that can say one thing alone says it of everything. */
  | { readonly kind: 'oneLabel' };

/** What of a dataset's readiness concerns a task. */
export function readinessFor(
  { trainings }: DatasetReadiness,
  task: TrainingTask,
): TrainingReadiness | undefined {
  return trainings.find(({ kind }) => kind === kindOfTask(task));
}

/** The labels that can be learned: those with enough examples; all of them where none has enough. */
export function learnableLabels(
  readiness: DatasetReadiness,
  task: TrainingTask,
): readonly string[] {
  const labels = readinessFor(readiness, task)?.labels ?? [];
  const ready = labels.filter(({ missing }) => missing === 0);
  return (ready.length > 0 ? ready : labels).map(({ label }) => label);
}

/**
 * What a dataset lacks for these labels of a task; nothing when it is ready. Labels that are not asked
 * for may lack examples.
 * @param labels also such as the dataset does not have (any more)
 */
export function trainingLacks(
  readiness: DatasetReadiness,
  task: TrainingTask,
  labels: readonly string[],
): readonly TrainingLack[] {
  const training = readinessFor(readiness, task);
  if (!training) return [];
  const { missingImages, missingLabelled } = training;
  const counts = new Map(training.labels.map((count) => [count.label, count]));
  const poor = labels
    .map((label) => counts.get(label) ?? { label, count: 0, missing: TRAINING_MINIMUM.perLabel })
    .filter(({ missing }) => missing > 0);
  return [
    ...(missingImages > 0 ? [{ kind: 'images', missing: missingImages } as const] : []),
    ...(missingLabelled > 0 ? [{ kind: 'labelled', missing: missingLabelled } as const] : []),
    ...(poor.length > 0 ? [{ kind: 'examples', labels: poor } as const] : []),
    ...(task === 'singleLabelClassification' && labels.length === 1
      ? [{ kind: 'oneLabel' } as const]
      : []),
  ];
}

/** What of a dataset a task learns from: boxes, or what is said of whole images. */
export function kindOfTask(task: TrainingTask): TrainingKind {
  return task === 'objectDetection' ? 'detection' : 'classification';
}
