import {
  type DatasetReadiness,
  imagesWithSeveral,
  type LabelCount,
  labelCount,
  TRAINING_MINIMUM,
  type TrainingKind,
  type TrainingReadiness,
} from '../../data/datasets/datasetReadiness';
import type { TrainingTask } from '../../model/trainingJob';

/** Training requirement that a dataset doesn't meet. */
export type MissingRequirement =
  /** The dataset has too few images. @see TRAINING_MINIMUM */
  | { readonly kind: 'images'; readonly missing: number }
  /** Too few images have a label of the kind that the task learns from. */
  | { readonly kind: 'labeled'; readonly missing: number }
  /** These labels have too few examples. */
  | { readonly kind: 'examples'; readonly labels: readonly LabelCount[] }
  | SeveralLabels
  /** Only one label is selected, so the model would predict it for every image. */
  | { readonly kind: 'oneLabel' }
  /** Every image has one of the labels, so the model would also predict a label for every image. */
  | { readonly kind: 'nothingElse' };

/** Images that have more than one of the labels, which single-label training skips. */
export interface SeveralLabels {
  readonly kind: 'severalLabels';
  readonly images: number;
  /** True if `images` is a minimum. */
  readonly isLeast: boolean;
  /** Labels that would have too few examples if these images are skipped. */
  readonly labels: readonly LabelCount[];
}

/** Returns a dataset's readiness for the kind of training that a task requires. */
export function readinessFor(
  { trainings }: DatasetReadiness,
  task: TrainingTask,
): TrainingReadiness | undefined {
  return trainings.find(({ kind }) => kind === getTrainingKind(task));
}

/** Returns the labels that have enough examples, or all labels if no label has enough. */
export function learnableLabels(
  readiness: DatasetReadiness,
  task: TrainingTask,
): readonly string[] {
  const labels = readinessFor(readiness, task)?.labels ?? [];
  const ready = labels.filter(({ missing }) => missing === 0);
  return (ready.length > 0 ? ready : labels).map(({ label }) => label);
}

/**
 * Returns the requirements that a dataset doesn't meet for training a task with the given labels;
 * empty if the dataset is ready. Other labels can have too few examples.
 * @param labels can include labels that the dataset doesn't contain or no longer contains
 */
export function findMissingRequirements(
  readiness: DatasetReadiness,
  task: TrainingTask,
  labels: readonly string[],
): readonly MissingRequirement[] {
  const training = readinessFor(readiness, task);
  if (!training) return [];
  const { missingImages, missingLabeled } = training;
  const poor = getLabelCounts(training, labels).filter(({ missing }) => missing > 0);
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

/**
 * Returns the images that a task skips because they have more than one of its labels; undefined if
 * there are none.
 */
export function severalLabels(
  readiness: DatasetReadiness,
  task: TrainingTask,
  labels: readonly string[],
): SeveralLabels | undefined {
  const training = readinessFor(readiness, task);
  if (!training || task !== 'singleLabelClassification') return undefined;
  const { images, isLeast, byLabel } = imagesWithSeveral(readiness.together, labels);
  if (images === 0) return undefined;
  const left = getLabelCounts(training, labels)
    .filter(({ missing }) => missing === 0)
    .map(({ label, count }) => labelCount(label, count - (byLabel.get(label) ?? 0)))
    .filter(({ missing }) => missing > 0);
  return { kind: 'severalLabels', images, isLeast, labels: left };
}

/** Returns true if skipping these images would leave too few images. */
function areMany({ images }: SeveralLabels, { images: all }: DatasetReadiness): boolean {
  return 100 * images > (100 - TRAINING_MINIMUM.labeled) * all;
}

/** Returns true if every training image has all of these labels. */
function areEverywhere(training: TrainingReadiness, labels: readonly string[]): boolean {
  const { labeled } = training;
  return labeled > 0 && getLabelCounts(training, labels).every(({ count }) => count === labeled);
}

function getLabelCounts(
  { labels }: TrainingReadiness,
  labelNames: readonly string[],
): readonly LabelCount[] {
  const counts = new Map(labels.map((count) => [count.label, count]));
  return labelNames.map((label) => counts.get(label) ?? labelCount(label, 0));
}

/** Returns the kind of data that a task learns from: boxes, or labels of whole images. */
export function getTrainingKind(task: TrainingTask): TrainingKind {
  return task === 'objectDetection' ? 'detection' : 'classification';
}
