import type { TrainingTask } from '../../../core/model/trainingTask';
import type { AnnotatedImage, Box } from './annotatedImage';

/** What an image teaches: which of the labels are on it, and where. */
export interface Example {
  readonly file: string;
  /** Places in the list of labels, each once. */
  readonly classes: readonly number[];
  /** Of the labels alone; of detection only. */
  readonly boxes: readonly ClassBox[];
}

/** A box with the place of its label in the list of labels. */
export interface ClassBox extends Omit<Box, 'label'> {
  readonly class: number;
}

/** Why a training passes over an image. */
export type PassedOver = 'noLabel' | 'noneOfLabels' | 'severalLabels' | 'noBox';

/** An image as a task sees it. */
export interface Seen {
  readonly example: Example;
  /** Absent when it is learned from. */
  readonly passedOver?: PassedOver | undefined;
}

/** Looks at images for a task with these labels. Labels that were not asked for say nothing. */
export function seenFor(
  task: TrainingTask,
  labels: readonly string[],
): (image: AnnotatedImage) => Seen {
  const places = new Map(labels.map((label, place) => [label, place]));
  return (image) => {
    const example = task === 'objectDetection' ? boxed(image, places) : classified(image, places);
    return { example, passedOver: reasonAgainst(image, example, task) };
  };
}

function classified({ file, labels }: AnnotatedImage, places: ReadonlyMap<string, number>) {
  return { file, classes: labels.flatMap((label) => places.get(label) ?? []), boxes: [] };
}

function boxed({ file, boxes }: AnnotatedImage, places: ReadonlyMap<string, number>): Example {
  const known = boxes.flatMap(({ label, ...box }) => {
    const place = places.get(label);
    return place === undefined ? [] : [{ ...box, class: place }];
  });
  return { file, classes: [...new Set(known.map((box) => box.class))], boxes: known };
}

function reasonAgainst(
  image: AnnotatedImage,
  { classes }: Example,
  task: TrainingTask,
): PassedOver | undefined {
  switch (task) {
    case 'singleLabelClassification':
      if (classes.length === 1) return undefined;
      return classes.length === 0 ? 'noneOfLabels' : 'severalLabels';
    case 'multiLabelClassification':
      // An image with other labels shows what none of the asked ones looks like; one without any, nothing.
      return image.labels.length > 0 ? undefined : 'noLabel';
    case 'objectDetection':
      return image.boxes.length > 0 ? undefined : 'noBox';
  }
}
