/** Metrics of a label on held-out images. */
export interface LabelMetrics {
  readonly label: string;
  /** Number of held-out images with the label. */
  readonly heldOut: number;
  /**
   * Fraction of the predictions of the label that are correct; absent if the label was never
   * predicted.
   */
  readonly precision?: number;
  /** Fraction of the images with the label for which the label was predicted. */
  readonly recall?: number;
}

export interface ClassificationMetrics {
  /**
   * Fraction of correct predictions: per image or, with multiple labels, over all labels of all
   * images.
   */
  readonly accuracy: number;
  /** Fraction of images for which all labels are correct; only with multiple labels. */
  readonly exactMatch?: number;
  readonly labels: readonly LabelMetrics[];
  /**
   * Confusion matrix with a row per true label and a column per predicted label; only with a single
   * label per image.
   */
  readonly confusion?: readonly (readonly number[])[];
}

/** True and predicted labels of an image, as indexes. */
export interface LabelPrediction {
  readonly truth: readonly number[];
  readonly predicted: readonly number[];
}

/** Returns the metrics of predictions with exactly one label per image. */
export function computeSingleLabelMetrics(
  answers: readonly LabelPrediction[],
  labels: readonly string[],
): ClassificationMetrics {
  const confusion = labels.map((_, truth) =>
    labels.map(
      (_unused, predicted) =>
        answers.filter((answer) => answer.truth[0] === truth && answer.predicted[0] === predicted)
          .length,
    ),
  );
  const right = answers.filter(({ truth, predicted: said }) => truth[0] === said[0]).length;
  return {
    accuracy: share(right, answers.length) ?? 0,
    labels: labels.map((label, index) => computeLabelMetrics(answers, label, index)),
    confusion,
  };
}

/** Returns the metrics of predictions with any number of labels per image. */
export function computeMultiLabelMetrics(
  answers: readonly LabelPrediction[],
  labels: readonly string[],
): ClassificationMetrics {
  const wrong = answers.map(
    ({ truth, predicted: said }) =>
      labels.filter((_, index) => truth.includes(index) !== said.includes(index)).length,
  );
  const all = answers.length * labels.length;
  return {
    accuracy: share(all - wrong.reduce((sum, count) => sum + count, 0), all) ?? 0,
    exactMatch: share(wrong.filter((count) => count === 0).length, answers.length) ?? 0,
    labels: labels.map((label, index) => computeLabelMetrics(answers, label, index)),
  };
}

function computeLabelMetrics(
  answers: readonly LabelPrediction[],
  label: string,
  index: number,
): LabelMetrics {
  const has = answers.filter(({ truth }) => truth.includes(index));
  const predicted = answers.filter((answer) => answer.predicted.includes(index));
  const right = has.filter((answer) => answer.predicted.includes(index)).length;
  const [precision, recall] = [share(right, predicted.length), share(right, has.length)];
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
