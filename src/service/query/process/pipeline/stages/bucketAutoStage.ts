import { Lazy } from 'mingo/lazy';
import { $bucketAuto } from 'mingo/operators/pipeline';
import { compareValues } from '../compareValues';
import { collect, type Document } from '../document';
import type { Expressions } from '../expressions';
import { type RunStage, type Stage, stageError } from '../stage';
import { createAccumulator } from './accumulators';
import { COUNT_ONLY, groupFields } from './groupStage';
import {
  afterAll,
  parseCount,
  parseExpression,
  parseOptions,
  requireDocument,
} from './stageCompiler';

/** Document with the value that determines its bucket. */
interface Keyed {
  readonly key: unknown;
  readonly document: Document;
}

interface Bucket {
  readonly min: unknown;
  readonly max: unknown;
  readonly documents: readonly Document[];
}

/**
 * `$bucketAuto`: groups documents into a given number of value ranges, each with about the same
 * number of documents.
 */
export function bucketAutoStage(stage: Stage, expressions: Expressions): RunStage {
  const options = parseOptions(stage, {
    known: ['groupBy', 'buckets', 'output', 'granularity'],
    required: ['groupBy', 'buckets'],
  });
  const { groupBy, granularity, output = COUNT_ONLY } = options;
  parseExpression(stage, groupBy);
  const buckets = parseCount(stage, options.buckets, 1, 'buckets');
  if (granularity !== undefined && typeof granularity !== 'string') {
    throw stageError(
      stage,
      'granularity must name a series of numbers, such as "R5" or "POWERSOF2"',
    );
  }
  const fields = groupFields(stage, requireDocument(stage, output, 'output'));
  const toResult = ({ min, max, documents }: Bucket): Document => {
    const values = fields.map((field) => {
      const accumulator = createAccumulator(field, expressions);
      documents.forEach((document) => accumulator.add(document));
      return [field.name, accumulator.value()] as const;
    });
    return { _id: { min, max }, ...Object.fromEntries(values) };
  };
  return afterAll(stage, async (input) => {
    const keyed = (await collect(input)).map((document): Keyed => {
      const key = expressions.compute(document, groupBy) ?? null;
      return { key, document };
    });
    if (keyed.length === 0) return [];
    const sorted = keyed.sort((left, right) => compareValues(left.key, right.key));
    const parts =
      granularity === undefined
        ? splitByCount(sorted, buckets)
        : splitBySeries(sorted, { buckets, granularity }, expressions);
    return parts.map(toResult);
  });
}

/** Equal values are in the same bucket, so that there can be fewer buckets. */
function splitByCount(sorted: readonly Keyed[], buckets: number): Bucket[] {
  const size = Math.max(1, Math.round(sorted.length / buckets));
  const parts: Bucket[] = [];
  for (let start = 0; start < sorted.length;) {
    let end = parts.length === buckets - 1 ? sorted.length : Math.min(start + size, sorted.length);
    const last = sorted[end - 1]?.key;
    while (end < sorted.length && compareValues(sorted[end]?.key, last) === 0) end++;
    parts.push({
      min: sorted[start]?.key,
      max: sorted[end]?.key ?? last,
      documents: sorted.slice(start, end).map(({ document }) => document),
    });
    start = end;
  }
  return parts;
}

/**
 * Divides documents at numbers of a series. Unlike mingo's implementation, returns no more buckets
 * than requested, and begins with the last number of the series before the first value.
 */
function splitBySeries(
  sorted: readonly Keyed[],
  { buckets, granularity }: { buckets: number; granularity: string },
  expressions: Expressions,
): Bucket[] {
  const keys = sorted.map(({ key }) => Number(key));
  if (!sorted.every(({ key }) => Number.isFinite(key) && Number(key) >= 0)) {
    throw new TypeError('granularity needs numbers that are not negative');
  }
  const roundUp = createRounder(granularity, expressions);
  const size = Math.max(1, Math.round(sorted.length / buckets));
  const parts: Bucket[] = [];
  let min = roundDown(keys[0] ?? 0, roundUp);
  for (let start = 0; start < sorted.length;) {
    let end = parts.length === buckets - 1 ? sorted.length : Math.min(start + size, sorted.length);
    const last = keys[end - 1] ?? 0;
    let max = roundUp(last);
    while (end < sorted.length && Number(keys[end]) < max) end++;
    // No number of a series is 0 or follows it.
    if (last === 0) {
      while (keys[end] === 0) end++;
      const next = keys[end];
      max = next === undefined ? 0 : roundDown(next, roundUp);
    }
    parts.push({ min, max, documents: sorted.slice(start, end).map(({ document }) => document) });
    [start, min] = [end, max];
  }
  return parts;
}

/** Returns a function that returns the first number of a series that is greater than a number. */
function createRounder(granularity: string, expressions: Expressions): (value: number) => number {
  const spec = { groupBy: '$value', buckets: 1, output: {}, granularity } as Parameters<
    typeof $bucketAuto
  >[1];
  const { stageOptions } = expressions;
  return (value) => {
    if (value === 0) return 0;
    const [bucket] = $bucketAuto(Lazy([{ value }]), spec, stageOptions).collect<{
      _id: { max: number };
    }>();
    return bucket?._id.max ?? value;
  };
}

/** Returns the last number of a series that is less than a number. */
function roundDown(value: number, roundUp: (value: number) => number): number {
  let [number, next] = [0, roundUp(value / 100)];
  while (next < value && next > number) [number, next] = [next, roundUp(next)];
  return number;
}
