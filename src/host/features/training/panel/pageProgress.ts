import type { TrainingProgress } from '../../../../core/training/trainingProgress';
import type { JobProgress, JobSeries } from '../../../../shared/training';

/** Matches reported values that are not quality metrics. */
const SETTINGS = /^(?:lr|learning_?rate|eta|momentum|time|step)$/;
const LOSS = /loss|^(?:val_)?(?:mae|mse|rmse)$/;
/** Maximum number of lines that users can distinguish. */
const MAX_SERIES = 6;

/**
 * Returns the progress of a training, with its metrics grouped by kind: losses, and shares, which
 * normally increase.
 */
export function pageProgress({ epoch, epochs, points }: TrainingProgress): JobProgress {
  const all = toSeries(points).filter(({ name }) => !SETTINGS.test(name));
  const losses = all.filter(({ name }) => LOSS.test(name));
  const qualities = all.filter((one) => !losses.includes(one) && one.values.every(isShare));
  return {
    ...(epoch !== undefined && { epoch }),
    ...(epochs !== undefined && { epochs }),
    losses: losses.slice(0, MAX_SERIES),
    qualities: qualities.slice(0, MAX_SERIES),
  };
}

function isShare(value: number): boolean {
  return value >= 0 && value <= 1;
}

function toSeries(points: TrainingProgress['points']): readonly JobSeries[] {
  const series = new Map<string, { epochs: number[]; values: number[] }>();
  for (const { epoch, figures } of points) {
    for (const [name, value] of figures) {
      const one = series.get(name) ?? { epochs: [], values: [] };
      one.epochs.push(epoch);
      one.values.push(value);
      series.set(name, one);
    }
  }
  return [...series].map(([name, values]) => ({ name, ...values }));
}
