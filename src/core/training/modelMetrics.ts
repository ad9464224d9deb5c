import { isRecord } from '../../base/isRecord';

/**
 * A model's quality metrics for one label, measured on held-out images. The values are from 0 to 1.
 */
export interface LabelMetrics {
  readonly label: string;
  /** Number of held-out images or boxes. */
  readonly heldOut?: number | undefined;
  readonly precision?: number | undefined;
  readonly recall?: number | undefined;
  readonly meanIou?: number | undefined;
}

/** Metric with a name that the model's author chose, such as `accuracy`. */
export interface NamedNumber {
  readonly name: string;
  readonly value: number;
}

/** A model's quality metrics from its `metrics.json`. */
export interface ModelMetrics {
  /** Metrics in display order. */
  readonly numbers: readonly NamedNumber[];
  readonly labels: readonly LabelMetrics[];
  /**
   * Confusion matrix. Rows are the actual labels, and columns are the predicted labels. Empty if
   * not reported.
   */
  readonly confusion: readonly (readonly number[])[];
  /** Number of training images. */
  readonly trainingImages?: number | undefined;
  readonly heldOutImages?: number | undefined;
}

const MAX_NUMBERS = 40;
const MAX_LABELS = 200;

/**
 * Parses the metrics that a training job wrote: all fields from the service's own training jobs, or
 * the named numbers in any other object.
 * @returns undefined if the text isn't a JSON object or contains no numbers
 */
export function readMetrics(text: string): ModelMetrics | undefined {
  const root = toObject(parsed(text));
  if (!root) return undefined;
  const heldOut = toObject(root.heldOut) ?? {};
  const images = toObject(root.images) ?? {};
  const numbers = [...parseNumbers(heldOut), ...parseNumbers(root)].slice(0, MAX_NUMBERS);
  const labels = toList(heldOut.labels).flatMap(parseLabel).slice(0, MAX_LABELS);
  if (numbers.length + labels.length === 0) return undefined;
  return {
    numbers,
    labels,
    confusion: parseConfusion(heldOut.confusion, labels.length),
    trainingImages: toFiniteNumber(images.training),
    heldOutImages: toFiniteNumber(images.heldOut),
  };
}

function parseLabel(value: unknown): readonly LabelMetrics[] {
  const { label, heldOut, precision, recall, meanIou } = toObject(value) ?? {};
  if (typeof label !== 'string') return [];
  return [
    {
      label,
      heldOut: toFiniteNumber(heldOut),
      precision: toFiniteNumber(precision),
      recall: toFiniteNumber(recall),
      meanIou: toFiniteNumber(meanIou),
    },
  ];
}

/**
 * Parses a table with a row and a column for each label; returns an empty table for anything else.
 */
function parseConfusion(value: unknown, labels: number): readonly (readonly number[])[] {
  const rows = toList(value).map((row) =>
    toList(row).flatMap((cell) => toFiniteNumber(cell) ?? []),
  );
  const isWhole = rows.length === labels && rows.every((row) => row.length === labels);
  return isWhole ? rows : [];
}

function parseNumbers(object: Readonly<Record<string, unknown>>): readonly NamedNumber[] {
  return Object.entries(object).flatMap(([name, value]) => {
    const number = toFiniteNumber(value);
    return number === undefined ? [] : [{ name, value: number }];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isRecord(value) ? value : undefined;
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toFiniteNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
