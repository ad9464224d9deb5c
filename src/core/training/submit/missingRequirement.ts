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

/** Missing requirement of a dataset for a training. */
export type MissingRequirement =
  /** Total number of images. @see TRAINING_MINIMUM */
  | { readonly kind: 'images'; readonly missing: number }
  /** Images with a label of any kind that the task learns from. */
  | { readonly kind: 'labeled'; readonly missing: number }
  /** Examples of these labels. */
  | { readonly kind: 'examples'; readonly labels: readonly LabelCount[] }
  | SeveralLabels
  /** A model with only one label would predict it for everything. */
  | { readonly kind: 'oneLabel' }
  /** The same is true for a model that saw no image without any of its labels. */
  | { readonly kind: 'nothingElse' };

/** Images with several of the labels: a single-label training skips them. */
export interface SeveralLabels {
  readonly kind: 'severalLabels';
  readonly images: number;
  /** True if there can be more. */
  readonly isLeast: boolean;
  /** Labels with too few examples without those images. */
  readonly labels: readonly LabelCount[];
}

/** Returns the part of a dataset's readiness that applies to a task. */
export function readinessFor(
  { trainings }: DatasetReadiness,
  task: TrainingTask,
): TrainingReadiness | undefined {
  return trainings.find(({ kind }) => kind === getTrainingKind(task));
}

/** Returns the labels with enough examples, or all labels if none has enough. */
export function learnableLabels(
  readiness: DatasetReadiness,
  task: TrainingTask,
): readonly string[] {
  const labels = readinessFor(readiness, task)?.labels ?? [];
  const ready = labels.filter(({ missing }) => missing === 0);
  return (ready.length > 0 ? ready : labels).map(({ label }) => label);
}

/**
 * Returns the missing requirements of a dataset for these labels of a task; empty if it is ready.
 * Labels that were not requested can lack examples.
 * @param labels can include labels that the dataset doesn't contain (anymore)
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
 * Returns the images that a task skips because they have several of its labels; undefined if there
 * are none.
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

/** Returns true if too few images remain after skipping these. */
function areMany({ images }: SeveralLabels, { images: all }: DatasetReadiness): boolean {
  return 100 * images > (100 - TRAINING_MINIMUM.labeled) * all;
}

/** Returns true if all training images have all of these labels. */
function areEverywhere(training: TrainingReadiness, labels: readonly string[]): boolean {
  const { labeled } = training;
  return labeled > 0 && getLabelCounts(training, labels).every(({ count }) => count === labeled);
}

function getLabelCounts(
  { labels }: TrainingReadiness,
  wanted: readonly string[],
): readonly LabelCount[] {
  const counts = new Map(labels.map((count) => [count.label, count]));
  return wanted.map((label) => counts.get(label) ?? labelCount(label, 0));
}

/** Returns the kind of data that a task learns from: boxes, or labels of whole images. */
export function getTrainingKind(task: TrainingTask): TrainingKind {
  return task === 'objectDetection' ? 'detection' : 'classification';
}
