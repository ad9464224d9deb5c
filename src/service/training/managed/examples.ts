import type { TrainingTask } from '../../../core/model/trainingJob';
import type { AnnotatedImage, Box } from './annotatedImage';
import { counted } from './formatQuantity';

/** Training data from an image: its labels and their positions. */
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
interface Seen {
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

/** Counts examples for training. Its memory use grows only with the number of labels. */
export class ExampleTally {
  /** Number of images used for training. */
  images = 0;
  /** Number of images used for training that have all of the labels. */
  withAll = 0;
  /** Number of examples per label: boxes for detection, images for classification. */
  readonly perLabel: number[];
  /** Number of images per label that are skipped because they have more than one of the labels. */
  readonly amongSeveral: number[];
  readonly skipped = new Map<SkipReason, number>();

  constructor(
    private readonly task: TrainingTask,
    labels: number,
  ) {
    this.perLabel = new Array<number>(labels).fill(0);
    this.amongSeveral = [...this.perLabel];
  }

  add({ example, skipReason: skipped }: Seen): void {
    if (skipped === undefined) {
      this.learn(example);
      return;
    }
    this.skipped.set(skipped, (this.skipped.get(skipped) ?? 0) + 1);
    if (skipped === 'severalLabels') countUp(this.amongSeveral, example.classes);
  }

  private learn({ classes, boxes }: Example): void {
    this.images += 1;
    if (classes.length === this.perLabel.length) this.withAll += 1;
    countUp(
      this.perLabel,
      this.task === 'objectDetection' ? boxes.map((box) => box.class) : classes,
    );
  }
}

function countUp(counts: number[], indexes: readonly number[]): void {
  for (const index of indexes) counts[index] = (counts[index] ?? 0) + 1;
}

/**
 * Minimum requirements for a task. They don't exceed the requirements that the editor checks before
 * a training job is submitted.
 */
export const MIN_EXAMPLES = {
  /**
   * Minimum number of images with boxes, only for detection. The editor requires 15 images, and one
   * in five of them can lack boxes.
   */
  images: 12,
  /** Minimum number of examples per label: boxes for detection, images for classification. */
  perLabel: 10,
} as const;

const MAX_LISTED_PROBLEMS = 5;
const NEEDED = String(MIN_EXAMPLES.perLabel);

/**
 * Describes in sentences which examples must be added before a model can be trained.
 * @returns undefined if there are enough examples.
 */
export function describeMissingExamples(
  tally: ExampleTally,
  task: TrainingTask,
  labels: readonly string[],
): string | undefined {
  const isDetection = task === 'objectDetection';
  const [first = ''] = labels;
  if (labels.length === 0) {
    return 'No labels were specified. Submit the job again with labels of the dataset.';
  }
  if (tally.images === 0) return describeMissingImages(tally, isDetection);
  if (task === 'singleLabelClassification' && labels.length < 2) {
    return `Only one label was specified ("${first}"), so there is nothing to distinguish. Add a second label and at least ${NEEDED} images with it.`;
  }
  const missingExamples = labels.flatMap((label, index) =>
    listMissingForLabel(label, index, tally, isDetection),
  );
  if (missingExamples.length > 0) {
    const more = missingExamples.length - MAX_LISTED_PROBLEMS;
    return [
      ...missingExamples.slice(0, MAX_LISTED_PROBLEMS),
      ...(more > 0 ? [`The same applies to ${counted(more, 'more label')}.`] : []),
    ].join(' ');
  }
  if (isDetection && tally.images < MIN_EXAMPLES.images) {
    return `Only ${images(tally.images)} ${tally.images === 1 ? 'has' : 'have'} boxes. Training needs at least ${String(MIN_EXAMPLES.images)}. Add boxes to ${String(MIN_EXAMPLES.images - tally.images)} more.`;
  }
  if (task === 'multiLabelClassification' && tally.withAll === tally.images) {
    const [all, without] =
      labels.length === 1
        ? [`the label "${first}"`, 'it that have another tag']
        : ['all of the labels', 'one of them that have another tag'];
    return `Every image has ${all}, so there is nothing to distinguish. Add at least ${NEEDED} images without ${without}.`;
  }
  return undefined;
}

function describeMissingImages({ skipped }: ExampleTally, isDetection: boolean): string {
  const several = skipped.get('severalLabels') ?? 0;
  if (several > 0) {
    return `Every image with one of the labels has more than one of them (${images(several)}), but single-label training only uses images with exactly one. Train a multi-label model, or remove tags.`;
  }
  return isDetection
    ? `No images in the dataset have boxes. Draw boxes with the labels around the objects to detect, at least ${NEEDED} for each label.`
    : `No images in the dataset have any of the labels. Tag images with them, at least ${NEEDED} for each label.`;
}

function listMissingForLabel(
  label: string,
  index: number,
  { perLabel, amongSeveral }: ExampleTally,
  isDetection: boolean,
): string[] {
  const count = perLabel[index] ?? 0;
  if (count >= MIN_EXAMPLES.perLabel) return [];
  const several = amongSeveral[index] ?? 0;
  if (several > 0) return [describeMissingSingleLabel(label, count, several)];
  if (count === 0) {
    return [
      isDetection
        ? `No boxes have the label "${label}". Draw at least ${NEEDED}, or train without it.`
        : `No images have the label "${label}". Tag at least ${NEEDED}, or train without it.`,
    ];
  }
  const has = isDetection
    ? count === 1
      ? '1 box has'
      : `${String(count)} boxes have`
    : `${images(count)} ${count === 1 ? 'has' : 'have'}`;
  return [
    `Only ${has} the label "${label}". Training needs at least ${NEEDED}. Add ${String(MIN_EXAMPLES.perLabel - count)} more, or train without it.`,
  ];
}

function describeMissingSingleLabel(label: string, count: number, several: number): string {
  const alone =
    count === 0 ? 'No image has' : `Only ${images(count)} ${count === 1 ? 'has' : 'have'}`;
  return `${alone} the label "${label}" without another label of this job. Single-label training needs at least ${NEEDED}, and skips ${images(several)} with more than one label. Train a multi-label model, remove tags, or train without it.`;
}

function images(count: number): string {
  return counted(count, 'image');
}
