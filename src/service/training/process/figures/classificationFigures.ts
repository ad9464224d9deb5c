/** How well a model tells one label on images that it did not learn from. */
export interface LabelFigures {
  readonly label: string;
  /** Held-out images with the label. */
  readonly heldOut: number;
  /** Of the images that were said to have it, the share that has. Absent when none was said to. */
  readonly precision?: number;
  /** Of the images that have it, the share that was found. */
  readonly recall?: number;
}

export interface ClassificationFigures {
  /** The share that is right: of the images, or with several labels of all answers on all of them. */
  readonly accuracy: number;
  /** The share of images that is right in every label; of several labels only. */
  readonly exactMatch?: number;
  readonly labels: readonly LabelFigures[];
  /** Rows are what is true, columns what the model says; of one label for each image only. */
  readonly confusion?: readonly (readonly number[])[];
}

/** What is true of an image, and what the model says: places of labels. */
export interface Answer {
  readonly truth: readonly number[];
  readonly said: readonly number[];
}

/** Figures of answers with exactly one label each. */
export function singleLabelFigures(
  answers: readonly Answer[],
  labels: readonly string[],
): ClassificationFigures {
  const confusion = labels.map((_, truth) =>
    labels.map(
      (_unused, said) =>
        answers.filter((answer) => answer.truth[0] === truth && answer.said[0] === said).length,
    ),
  );
  const right = answers.filter(({ truth, said }) => truth[0] === said[0]).length;
  return {
    accuracy: share(right, answers.length) ?? 0,
    labels: labels.map((label, place) => labelFigures(answers, label, place)),
    confusion,
  };
}

/** Figures of answers with any number of labels each. */
export function multiLabelFigures(
  answers: readonly Answer[],
  labels: readonly string[],
): ClassificationFigures {
  const wrong = answers.map(
    ({ truth, said }) =>
      labels.filter((_, place) => truth.includes(place) !== said.includes(place)).length,
  );
  const all = answers.length * labels.length;
  return {
    accuracy: share(all - wrong.reduce((sum, count) => sum + count, 0), all) ?? 0,
    exactMatch: share(wrong.filter((count) => count === 0).length, answers.length) ?? 0,
    labels: labels.map((label, place) => labelFigures(answers, label, place)),
  };
}

function labelFigures(answers: readonly Answer[], label: string, place: number): LabelFigures {
  const has = answers.filter(({ truth }) => truth.includes(place));
  const said = answers.filter((answer) => answer.said.includes(place));
  const right = has.filter((answer) => answer.said.includes(place)).length;
  const [precision, recall] = [share(right, said.length), share(right, has.length)];
  return {
    label,
    heldOut: has.length,
    ...(precision !== undefined && { precision }),
    ...(recall !== undefined && { recall }),
  };
}

function share(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole;
}
