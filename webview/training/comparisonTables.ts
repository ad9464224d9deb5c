import type { JobLabelMetrics, JobMetrics } from '../../src/shared/jobMetrics';
import type { TrainingComparisonStrings } from '../../src/shared/trainingStrings';
import { fillPlaceholders } from '../ui/fillPlaceholders';
import type { MetricFormatter } from './createMetricFormatter';

/** The metrics of a job in a comparison, whose first job is the baseline. */
export interface ComparedMetrics {
  readonly name: string;
  readonly metrics: JobMetrics;
}

interface ComparisonTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Localized strings of a comparison. */
export interface ComparisonTexts {
  readonly strings: TrainingComparisonStrings;
  readonly text: MetricFormatter;
}

/** Returns the overall numbers of jobs side by side, with their differences from the baseline. */
export function compareNumbers(
  jobs: readonly ComparedMetrics[],
  texts: ComparisonTexts,
): ComparisonTable {
  const { strings } = texts;
  const numbers = new Map(
    jobs.flatMap(({ metrics }) => metrics.numbers.map((number) => [number.key, number] as const)),
  );
  const names = jobs.map(({ name }, index) =>
    index === 0 ? fillPlaceholders(strings.baselineColumn, name) : name,
  );
  return {
    head: [strings.metric, ...names],
    rows: [...numbers.values()].map(({ key, name, isShare }) => {
      const values = jobs.map(
        ({ metrics }) => metrics.numbers.find((number) => number.key === key)?.value,
      );
      return [name, ...formatWithDifferences(values, isShare, texts)];
    }),
  };
}

/**
 * Returns precision and recall of each label side by side, with their differences from the
 * baseline.
 */
export function compareLabels(
  jobs: readonly ComparedMetrics[],
  texts: ComparisonTexts,
): ComparisonTable {
  const { strings } = texts;
  const labels = new Set(jobs.flatMap(({ metrics }) => metrics.labels.map(({ label }) => label)));
  const maps = jobs.map(({ metrics }) => new Map(metrics.labels.map((one) => [one.label, one])));
  const columns = (label: string, key: 'precision' | 'recall'): readonly string[] => {
    const values = maps.map((map): JobLabelMetrics[typeof key] => map.get(label)?.[key]);
    return formatWithDifferences(values, true, texts);
  };
  const heads = (sentence: string): readonly string[] =>
    jobs.map(({ name }) => fillPlaceholders(sentence, name));
  return {
    head: [strings.label, ...heads(strings.precisionColumn), ...heads(strings.recallColumn)],
    rows: [...labels].map((label) => [
      label,
      ...columns(label, 'precision'),
      ...columns(label, 'recall'),
    ]),
  };
}

/**
 * Formats values with their differences from the first value, which is the baseline. Without a
 * baseline value, no differences are shown.
 */
function formatWithDifferences(
  [baseline, ...others]: readonly (number | undefined)[],
  isShare: boolean,
  { strings, text }: ComparisonTexts,
): readonly string[] {
  const format = (value: number | undefined): string => {
    const plain = text.value(value, isShare);
    if (value === undefined || baseline === undefined) return plain;
    if (value === baseline) return fillPlaceholders(strings.same, plain);
    const sentence = isShare ? strings.shareDifference : strings.difference;
    return fillPlaceholders(sentence, plain, text.difference(value - baseline, isShare));
  };
  return [text.value(baseline, isShare), ...others.map(format)];
}
