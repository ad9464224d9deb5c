import type { TrainingTask } from '../../../core/model/trainingTask';
import type { AnnotatedImage, Box } from './annotatedImage';

/** Training data of an image: its labels and their positions. */
export interface Example {
  readonly file: string;
  /** Indexes in the list of labels, without duplicates. */
  readonly classes: readonly number[];
  /** Boxes with these labels; only for detection. */
  readonly boxes: readonly ClassBox[];
}

/** A box with the index of its label in the list of labels. */
export interface ClassBox extends Omit<Box, 'label'> {
  readonly class: number;
}

/** Reason why training skips an image. */
export type SkipReason = 'noLabel' | 'noneOfLabels' | 'severalLabels' | 'noBox';

/** Result of evaluating an image for a task. */
export interface Seen {
  readonly example: Example;
  /** Reason why the image is skipped; absent if it is used. */
  readonly skipReason?: SkipReason | undefined;
}

/**
 * Returns a function that evaluates images for a task with the given labels. The function ignores
 * all other labels.
 */
export function seenFor(
  task: TrainingTask,
  labels: readonly string[],
): (image: AnnotatedImage) => Seen {
  const indexByLabel = new Map(labels.map((label, index) => [label, index]));
  return (image) => {
    const example =
      task === 'objectDetection' ? boxed(image, indexByLabel) : classified(image, indexByLabel);
    return { example, skipReason: reasonAgainst(image, example, task) };
  };
}

function classified({ file, labels }: AnnotatedImage, indexByLabel: ReadonlyMap<string, number>) {
  return { file, classes: labels.flatMap((label) => indexByLabel.get(label) ?? []), boxes: [] };
}

function boxed(
  { file, boxes }: AnnotatedImage,
  indexByLabel: ReadonlyMap<string, number>,
): Example {
  const known = boxes.flatMap(({ label, ...box }) => {
    const index = indexByLabel.get(label);
    return index === undefined ? [] : [{ ...box, class: index }];
  });
  return { file, classes: [...new Set(known.map((box) => box.class))], boxes: known };
}

function reasonAgainst(
  image: AnnotatedImage,
  { classes }: Example,
  task: TrainingTask,
): SkipReason | undefined {
  switch (task) {
    case 'singleLabelClassification':
      if (classes.length === 1) return undefined;
      return classes.length === 0 ? 'noneOfLabels' : 'severalLabels';
    case 'multiLabelClassification':
      // An image that has only other labels is a negative example; an image without any labels
      // provides no information.
      return image.labels.length > 0 ? undefined : 'noLabel';
    case 'objectDetection':
      return image.boxes.length > 0 ? undefined : 'noBox';
  }
}
