import type { Random } from '../../../../simulate/random';
import type { Example } from '../../managed/examples';

/** Of each label, this share is held out. */
const HELD_OUT = 0.2;
const LEAST_HELD_OUT = 2;

type Labeled = Pick<Example, 'classes'>;

export interface Split<T> {
  readonly training: readonly T[];
  /** What the model never learns from, so that it can be tried on it. */
  readonly heldOut: readonly T[];
}

/**
 * Holds out a share of the examples of each label, and never more than half. The rarest label comes first, because
 * its examples may have others too. Copies of an image go where the first of them goes: a model is not tried on what
 * it has seen. The same seed holds out the same.
 * @param quota returns how many of so many examples with a label to hold out: a fifth, and at least two, if absent
 */
export function split<T extends Labeled & { readonly content: string }>(
  examples: readonly T[],
  classes: number,
  random: Random,
  quota: (size: number) => number = heldOutQuota,
): Split<T> {
  const firsts = new Map(examples.toReversed().map((example) => [example.content, example]));
  const originals = shuffle(examples, random).filter(
    (example) => firsts.get(example.content) === example,
  );
  const { labeled, others } = byLabel(originals, classes);
  const groups = [...labeled.toSorted((a, b) => a.length - b.length), others];
  const [heldOut, training] = [new Set<T>(), new Set<T>()];
  for (const group of groups) {
    // Boxes are counted and not images: a label may have all of its own on one or two.
    let wanted = Math.min(quota(group.length), Math.floor(group.length / 2));
    wanted -= group.filter((example) => heldOut.has(example)).length;
    for (const example of group) {
      if (heldOut.has(example) || training.has(example)) continue;
      (wanted > 0 ? heldOut : training).add(example);
      wanted -= 1;
    }
  }
  const contents = new Set([...heldOut].map(({ content }) => content));
  const isHeldOut = ({ content }: T): boolean => contents.has(content);
  return {
    training: examples.filter((example) => !isHeldOut(example)),
    heldOut: examples.filter(isHeldOut),
  };
}

function heldOutQuota(size: number): number {
  return Math.max(Math.round(size * HELD_OUT), LEAST_HELD_OUT);
}

/** Examples with each label; one with several is with each of them. */
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

/** The same things in another order (Fisher and Yates). */
export function shuffle<T>(things: readonly T[], random: Random): T[] {
  const shuffled = [...things];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = random.wholeBetween(0, last);
    [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
  }
  return shuffled;
}

/** Of the images to learn from, at most this share decides when to stop. */
const VALIDATION = 0.15;
/** The loss on fewer images is too uncertain to decide anything by it. */
const MIN_VALIDATION_IMAGES = 16;

/** The images of a training by what they are for. */
export interface TrainingParts<T> {
  readonly learning: readonly T[];
  /** Decide when to stop and which weights to keep; empty where there are too few images. */
  readonly validation: readonly T[];
  /** Decide nothing: the model is measured on them. */
  readonly heldOut: readonly T[];
}

/**
 * Divides the images of a training. The held-out ones must not decide when to stop, or what is measured on
 * them would be too good: others do, where there are enough of them.
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

/** Carries what rounding leaves over from label to label, so that all of them together keep to the share. */
function validationQuota(): (size: number) => number {
  let carried = 0;
  return (size) => {
    const exact = carried + size * VALIDATION;
    const whole = Math.floor(exact);
    carried = exact - whole;
    return whole;
  };
}
