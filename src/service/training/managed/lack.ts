import type { TrainingTask } from '../../../../core/model/trainingTask';
import type { Example } from './examples';

/** What a task needs at least: no more than the editor asks for before a training is submitted. */
export const LEAST = {
  /** Images with boxes, for detection alone: of 15 images, one in five may be without. */
  images: 12,
  /** Examples of each label: boxes for detection, images for classification. */
  perLabel: 10,
} as const;

const MOST_NAMED = 5;

/**
 * What must be added before a model can be trained, in sentences for people.
 * @returns undefined when there is enough.
 */
export function lackOf(
  examples: readonly Example[],
  task: TrainingTask,
  labels: readonly string[],
): string | undefined {
  const isDetection = task === 'objectDetection';
  if (labels.length === 0) {
    return 'No labels were given to train on. Submit the job again with labels of the dataset.';
  }
  if (examples.length === 0) {
    return isDetection
      ? 'No image of the dataset has a box. Draw boxes with the labels around the things to find, at least 10 for each label.'
      : 'No image of the dataset has one of the labels. Tag images with them, at least 10 for each label.';
  }
  if (task === 'singleLabelClassification' && labels.length < 2) {
    return `Only one label was given (“${labels[0] ?? ''}”), so there is nothing to tell apart. Add a second label and at least ${String(LEAST.perLabel)} images with it.`;
  }
  const lacks = labels.flatMap((label, place) => lackOfLabel(label, place, examples, isDetection));
  if (lacks.length > 0) {
    const more = lacks.length - MOST_NAMED;
    return [
      ...lacks.slice(0, MOST_NAMED),
      ...(more > 0 ? [`The same is true of ${String(more)} more labels.`] : []),
    ].join(' ');
  }
  if (isDetection && examples.length < LEAST.images) {
    return `Only ${String(examples.length)} images have boxes; training needs at least ${String(LEAST.images)}. Add boxes to ${String(LEAST.images - examples.length)} more.`;
  }
  if (task === 'multiLabelClassification' && isOnAll(examples, labels)) {
    return `Every image has ${labels.length === 1 ? `the label “${labels[0] ?? ''}”` : 'all of the labels'}, so there is nothing to tell apart. Add at least ${String(LEAST.perLabel)} images without it, tagged with something else.`;
  }
  return undefined;
}

function lackOfLabel(
  label: string,
  place: number,
  examples: readonly Example[],
  isDetection: boolean,
): string[] {
  const count = examples.reduce(
    (sum, { boxes, classes }) =>
      sum +
      (isDetection
        ? boxes.filter((box) => box.class === place).length
        : Number(classes.includes(place))),
    0,
  );
  const things = isDetection ? 'boxes' : 'images';
  if (count === 0) {
    return [
      isDetection
        ? `No box has the label “${label}”: draw at least ${String(LEAST.perLabel)}, or train without it.`
        : `No image has the label “${label}”: tag at least ${String(LEAST.perLabel)}, or train without it.`,
    ];
  }
  if (count >= LEAST.perLabel) return [];
  const has =
    count === 1 ? `1 ${isDetection ? 'box has' : 'image has'}` : `${String(count)} ${things} have`;
  return [
    `Only ${has} the label “${label}”; training needs at least ${String(LEAST.perLabel)}. Add ${String(LEAST.perLabel - count)} more, or train without it.`,
  ];
}

function isOnAll(examples: readonly Example[], labels: readonly string[]): boolean {
  return examples.every(({ classes }) => classes.length === labels.length);
}
