export const MAX_CONFUSIONS = 100;

/** A label that a model mistook for another label, both as indexes. */
interface Confusion {
  readonly truth: number;
  readonly predicted: number;
  /** Number of held-out images with this confusion. */
  readonly count: number;
}

/** Lists the incorrect predictions in a confusion matrix, most frequent first. */
export function getConfusions(matrix: readonly (readonly number[])[]): readonly Confusion[] {
  return matrix
    .flatMap((row, truth) => row.map((count, predicted) => ({ truth, predicted, count })))
    .filter(({ truth, predicted, count }) => truth !== predicted && count > 0)
    .toSorted((a, b) => b.count - a.count || a.truth - b.truth || a.predicted - b.predicted);
}
