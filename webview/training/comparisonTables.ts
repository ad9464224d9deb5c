import * as l10n from '@vscode/l10n';
import type { JobLabelMetrics, JobMetrics } from '../../src/shared/training';
import { localeTag } from '../ui/format';

/** A job's metrics in a comparison, whose first job is the baseline. */
export interface ComparedMetrics {
  readonly name: string;
  readonly metrics: JobMetrics;
}

interface ComparisonTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Returns the overall numbers of jobs side by side, with their differences from the baseline. */
export function compareNumbers(
  jobs: readonly ComparedMetrics[],
  text: MetricFormatter,
): ComparisonTable {
  const numbers = new Map(
    jobs.flatMap(({ metrics }) => metrics.numbers.map((number) => [number.key, number] as const)),
  );
  const names = jobs.map(({ name }, index) =>
    index === 0 ? l10n.t('{0} (baseline)', name) : name,
  );
  return {
    head: [l10n.t('Metric'), ...names],
    rows: [...numbers.values()].map(({ key, name, isShare }) => {
      const values = jobs.map(
        ({ metrics }) => metrics.numbers.find((number) => number.key === key)?.value,
      );
      return [name, ...formatWithDifferences(values, isShare, text)];
    }),
  };
}

/**
 * Returns precision and recall for each label side by side, with their differences from the
 * baseline.
 */
export function compareLabels(
  jobs: readonly ComparedMetrics[],
  text: MetricFormatter,
): ComparisonTable {
  const labels = new Set(jobs.flatMap(({ metrics }) => metrics.labels.map(({ label }) => label)));
  const maps = jobs.map(({ metrics }) => new Map(metrics.labels.map((one) => [one.label, one])));
  const columns = (label: string, key: 'precision' | 'recall'): readonly string[] => {
    const values = maps.map((map): JobLabelMetrics[typeof key] => map.get(label)?.[key]);
    return formatWithDifferences(values, true, text);
  };
  return {
    head: [
      l10n.t('Label'),
      ...jobs.map(({ name }) => l10n.t('{0}: precision', name)),
      ...jobs.map(({ name }) => l10n.t('{0}: recall', name)),
    ],
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
  text: MetricFormatter,
): readonly string[] {
  const format = (value: number | undefined): string => {
    const plain = text.value(value, isShare);
    if (value === undefined || baseline === undefined) return plain;
    if (value === baseline) return l10n.t('{0} (same)', plain);
    const difference = text.difference(value - baseline, isShare);
    return isShare
      ? l10n.t('{0} ({1} points)', plain, difference)
      : l10n.t('{0} ({1})', plain, difference);
  };
  return [text.value(baseline, isShare), ...others.map(format)];
}

/** Formats metrics for a locale; formats a missing value as a dash. */
export interface MetricFormatter {
  value(value: number | undefined, isShare: boolean): string;
  /** Formats the signed difference from a baseline; for fractions, in percentage points. */
  difference(value: number, isShare: boolean): string;
}

export function createMetricFormatter(locale: string): MetricFormatter {
  const tag = localeTag(locale);
  const share = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 });
  const whole = new Intl.NumberFormat(tag);
  const plain = new Intl.NumberFormat(tag, { maximumSignificantDigits: 4 });
  const signDisplay = 'exceptZero';
  const points = new Intl.NumberFormat(tag, { maximumFractionDigits: 1, signDisplay });
  const change = new Intl.NumberFormat(tag, { maximumSignificantDigits: 4, signDisplay });
  return {
    value: (value, isShare) => {
      if (value === undefined) return '–';
      if (isShare) return share.format(value);
      return Number.isInteger(value) ? whole.format(value) : plain.format(value);
    },
    difference: (value, isShare) => (isShare ? points.format(100 * value) : change.format(value)),
  };
}

/** Maximum number of jobs to compare. More lines and columns would be hard to distinguish. */
export const MAX_COMPARED_JOBS = 6;

/** The IDs of jobs to compare. The first job is the baseline. */
export type ComparedJobs = readonly string[];

/** Adds a job at the end, or removes it. Has no effect if the comparison is full. */
export function toggleJob(jobs: ComparedJobs, job: string): ComparedJobs {
  if (jobs.includes(job)) return jobs.filter((id) => id !== job);
  return jobs.length < MAX_COMPARED_JOBS ? [...jobs, job] : jobs;
}

/** Makes a compared job the baseline. The order of the other jobs doesn't change. */
export function pinBaseline(jobs: ComparedJobs, job: string): ComparedJobs {
  return jobs.includes(job) ? [job, ...jobs.filter((id) => id !== job)] : jobs;
}
