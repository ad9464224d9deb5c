import type { Random } from '../../../simulate/random';
import type { Example } from '../managed/examples';

/** Fraction of each label's examples that is held out. */
const HELD_OUT = 0.2;
const MIN_HELD_OUT = 2;

type Labeled = Pick<Example, 'classes'>;

export interface Split<T> {
  readonly training: readonly T[];
  /** Examples for evaluation, from which the model never learns. */
  readonly heldOut: readonly T[];
}

/**
 * Holds out a fraction of the examples for each label, but never more than half. Starts with the
 * rarest label because its examples can also have other labels. Duplicates of an image stay in the
 * same subset, so a model is never evaluated on images that it learned from. The same seed produces
 * the same result.
 * @param quota returns the number of examples to hold out of a given number of examples with a
 *   label; if absent, a fifth and at least two
 */
export function split<T extends Labeled & { readonly content: string }>(
  examples: readonly T[],
  classes: number,
  random: Random,
  quota: (size: number) => number = getHeldOutCount,
): Split<T> {
  const firsts = new Map(examples.toReversed().map((example) => [example.content, example]));
  const originals = shuffle(examples, random).filter(
    (example) => firsts.get(example.content) === example,
  );
  const { labeled, others } = byLabel(originals, classes);
  const groups = [...labeled.toSorted((a, b) => a.length - b.length), others];
  const [heldOut, training] = [new Set<T>(), new Set<T>()];
  for (const group of groups) {
    // At most half, because the minimum requirements count boxes instead of images. All boxes for a
    // label can be on one or two images.
    let remaining = Math.min(quota(group.length), Math.floor(group.length / 2));
    remaining -= group.filter((example) => heldOut.has(example)).length;
    for (const example of group) {
      if (heldOut.has(example) || training.has(example)) continue;
      (remaining > 0 ? heldOut : training).add(example);
      remaining -= 1;
    }
  }
  const contents = new Set([...heldOut].map(({ content }) => content));
  const isHeldOut = ({ content }: T): boolean => contents.has(content);
  return {
    training: examples.filter((example) => !isHeldOut(example)),
    heldOut: examples.filter(isHeldOut),
  };
}

function getHeldOutCount(size: number): number {
  return Math.max(Math.round(size * HELD_OUT), MIN_HELD_OUT);
}

/**
 * Returns the examples for each label. An example with more than one label counts for each of them.
 */
function byLabel<T extends Labeled>(
  examples: readonly T[],
  classes: number,
): { readonly labeled: readonly (readonly T[])[]; readonly others: readonly T[] } {
  return {
    labeled: Array.from({ length: classes }, (_, label) =>
      examples.filter((example) => example.classes.includes(label)),
    ),
    others: examples.filter((example) => example.classes.length === 0),
  };
}

/** Returns the items in random order (Fisher-Yates). */
export function shuffle<T>(items: readonly T[], random: Random): T[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = random.wholeBetween(0, last);
    [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
  }
  return shuffled;
}

/** Maximum fraction of the training images that is used for validation. */
const VALIDATION = 0.15;
/** Minimum number of validation images. With fewer images, the loss is too uncertain. */
const MIN_VALIDATION_IMAGES = 16;

/** A training job's images, by purpose. */
export interface TrainingParts<T> {
  readonly learning: readonly T[];
  /** Images for early stopping and for selecting the weights; empty if there are too few images. */
  readonly validation: readonly T[];
  /** Images used only for evaluation. */
  readonly heldOut: readonly T[];
}

/**
 * Splits a training job's images. Held-out images must not be used for early stopping because that
 * would bias their metrics. If there are enough images, separate validation images are used
 * instead.
 */
export function divide<T extends Labeled & { readonly content: string }>(
  examples: readonly T[],
  classes: number,
  random: Random,
): TrainingParts<T> {
  const { training, heldOut } = split(examples, classes, random.of('split'));
  const within = split(training, classes, random.of('validation'), validationQuota());
  return within.heldOut.length < MIN_VALIDATION_IMAGES
    ? { learning: training, validation: [], heldOut }
    : { learning: within.training, validation: within.heldOut, heldOut };
}

/**
 * Returns a quota function that carries rounding errors from label to label, so that the total
 * matches the intended fraction.
 */
function validationQuota(): (size: number) => number {
  let carried = 0;
  return (size) => {
    const exact = carried + size * VALIDATION;
    const whole = Math.floor(exact);
    carried = exact - whole;
    return whole;
  };
}
