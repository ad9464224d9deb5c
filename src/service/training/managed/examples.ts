import type { TrainingTask } from '../../../../core/model/trainingTask';
import type { AnnotatedImage, Box } from './datasetFile';

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

/** What training looks at, and what it passes over with the reason. */
export interface Selection {
  readonly examples: readonly Example[];
  /** How many images were passed over for which reason; the reason is the end of a sentence. */
  readonly passedOver: ReadonlyMap<string, number>;
}

/** Takes of a dataset what a task can learn from. Labels that were not asked for say nothing. */
export function selectExamples(
  images: readonly AnnotatedImage[],
  task: TrainingTask,
  labels: readonly string[],
): Selection {
  const places = new Map(labels.map((label, place) => [label, place]));
  const examples: Example[] = [];
  const passedOver = new Map<string, number>();
  for (const image of images) {
    const example = task === 'objectDetection' ? boxed(image, places) : classified(image, places);
    const reason = reasonAgainst(image, example, task);
    if (reason === undefined) examples.push(example);
    else passedOver.set(reason, (passedOver.get(reason) ?? 0) + 1);
  }
  return { examples, passedOver };
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
): string | undefined {
  switch (task) {
    case 'singleLabelClassification':
      if (classes.length === 1) return undefined;
      return classes.length === 0
        ? 'without a label of the training'
        : 'with several of the labels';
    case 'multiLabelClassification':
      // An image with other labels shows what none of the asked ones looks like; one without any, nothing.
      return image.labels.length > 0 ? undefined : 'without a label';
    case 'objectDetection':
      return image.boxes.length > 0 ? undefined : 'without a box';
  }
}
