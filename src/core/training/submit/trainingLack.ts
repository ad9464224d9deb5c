import {
  type DatasetReadiness,
  type LabelCount,
  labelCount,
  TRAINING_MINIMUM,
  type TrainingReadiness,
} from '../../data/datasets/datasetReadiness';
import { imagesWithSeveral } from '../../data/datasets/labelsTogether';
import type { TrainingKind } from '../../data/datasets/trainingLabels';
import type { TrainingTask } from '../../model/trainingTask';

/** Something that a dataset lacks for a training that somebody wants. */
export type TrainingLack =
  /** Images altogether. @see TRAINING_MINIMUM */
  | { readonly kind: 'images'; readonly missing: number }
  /** Images with a label of whatever kind the task learns from. */
  | { readonly kind: 'labeled'; readonly missing: number }
  /** Examples of these labels. */
  | { readonly kind: 'examples'; readonly labels: readonly LabelCount[] }
  | SeveralLabels
  /** A model that can say one thing alone says it of everything. */
  | { readonly kind: 'oneLabel' }
  /** So does one that saw no image without any of its labels. */
  | { readonly kind: 'nothingElse' };

/** Images with several of the labels: a training for one label of each image passes them over. */
export interface SeveralLabels {
  readonly kind: 'severalLabels';
  readonly images: number;
  /** Whether there may be more. */
  readonly isLeast: boolean;
  /** Labels with too few examples without those images. */
  readonly labels: readonly LabelCount[];
}

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
  const { missingImages, missingLabeled } = training;
  const poor = countsOf(training, labels).filter(({ missing }) => missing > 0);
  const several = severalLabels(readiness, task, labels);
  const isHarmful =
    several !== undefined && (several.labels.length > 0 || areMany(several, readiness));
  return [
    ...(missingImages > 0 ? [{ kind: 'images', missing: missingImages } as const] : []),
    ...(missingLabeled > 0 ? [{ kind: 'labeled', missing: missingLabeled } as const] : []),
    ...(poor.length > 0 ? [{ kind: 'examples', labels: poor } as const] : []),
    ...(isHarmful ? [several] : []),
    ...(task === 'singleLabelClassification' && labels.length === 1
      ? [{ kind: 'oneLabel' } as const]
      : []),
    ...(task === 'multiLabelClassification' && areEverywhere(training, labels)
      ? [{ kind: 'nothingElse' } as const]
      : []),
  ];
}

/** The images that a task passes over for having several of its labels; undefined where there are none. */
export function severalLabels(
  readiness: DatasetReadiness,
  task: TrainingTask,
  labels: readonly string[],
): SeveralLabels | undefined {
  const training = readinessFor(readiness, task);
  if (!training || task !== 'singleLabelClassification') return undefined;
  const { images, isLeast, byLabel } = imagesWithSeveral(readiness.together, labels);
  if (images === 0) return undefined;
  const left = countsOf(training, labels)
    .filter(({ missing }) => missing === 0)
    .map(({ label, count }) => labelCount(label, count - (byLabel.get(label) ?? 0)))
    .filter(({ missing }) => missing > 0);
  return { kind: 'severalLabels', images, isLeast, labels: left };
}

/** Whether so many images are passed over that too few of all are learned from. */
function areMany({ images }: SeveralLabels, { images: all }: DatasetReadiness): boolean {
  return 100 * images > (100 - TRAINING_MINIMUM.labeled) * all;
}

/** Whether all images that are learned from have all of these labels. */
function areEverywhere(training: TrainingReadiness, labels: readonly string[]): boolean {
  const { labeled } = training;
  return labeled > 0 && countsOf(training, labels).every(({ count }) => count === labeled);
}

function countsOf({ labels }: TrainingReadiness, wanted: readonly string[]): readonly LabelCount[] {
  const counts = new Map(labels.map((count) => [count.label, count]));
  return wanted.map((label) => counts.get(label) ?? labelCount(label, 0));
}

/** What of a dataset a task learns from: boxes, or what is said of whole images. */
export function kindOfTask(task: TrainingTask): TrainingKind {
  return task === 'objectDetection' ? 'detection' : 'classification';
}
