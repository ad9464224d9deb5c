import { localeTag } from '../ui/localeTag';

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
