import type { Expressions } from '../expressions';
import { stageError, type RunStage, type Stage } from '../stage';
import { compareValues } from '../values/compareValues';
import type { Document } from '../values/document';
import type { GroupField } from './accumulators';
import { groupFields, Groups } from './groupStage';
import { sortStage } from './sortStage';
import { afterAll, parseExpression, parseOptions, requireDocument } from './support';

/** Default fields of a bucket. */
export const COUNT_ONLY: Document = { count: { $sum: 1 } };

/** `$bucket`: groups documents by value range. Omits ranges without documents. */
export function bucketStage(stage: Stage, expressions: Expressions): RunStage {
  const { groupBy, boundaries, fallback, fields } = parseBuckets(stage);
  const getId = (document: Document): unknown => {
    const value = expressions.compute(document, groupBy);
    const above = boundaries.findIndex((boundary) => compareValues(value, boundary) < 0);
    if (above > 0) {
      return boundaries[above - 1];
    }
    if (fallback === undefined) {
      throw stageError(
        stage,
        'a value is outside the boundaries; set a default, or exclude it with $match first',
      );
    }
    return fallback;
  };
  return afterAll(stage, async (input) => {
    const documents = await new Groups(fields, expressions, getId).of(input);
    return [...documents].toSorted((a, b) => compareValues(a._id, b._id));
  });
}

/** `$sortByCount`: groups documents and sorts the groups by descending number of documents. */
export function sortByCountStage(stage: Stage, expressions: Expressions): RunStage {
  const expression = parseExpression(stage, stage.spec);
  const count: GroupField = { name: 'count', operator: '$sum', operand: 1 };
  const sort = sortStage({ ...stage, spec: { count: -1 } });
  const getKey = (document: Document): unknown => expressions.compute(document, expression);
  const group = afterAll(stage, (input) => new Groups([count], expressions, getKey).of(input));
  return (input) => sort(group(input));
}

interface Buckets {
  groupBy: unknown;
  boundaries: readonly unknown[];
  fallback: unknown;
  fields: readonly GroupField[];
}

function parseBuckets(stage: Stage): Buckets {
  const {
    groupBy,
    boundaries,
    default: fallback,
    output = COUNT_ONLY,
  } = parseOptions(stage, {
    known: ['groupBy', 'boundaries', 'default', 'output'],
    required: ['groupBy', 'boundaries'],
  });
  if (!Array.isArray(boundaries) || boundaries.length < 2) {
    throw stageError(stage, 'boundaries must be an array of at least two values');
  }
  const values: unknown[] = boundaries;
  const isAscending = values.every(
    (value, index) => index === 0 || compareValues(values[index - 1], value) < 0,
  );
  if (!isAscending || new Set(values.map(getValueKind)).size > 1) {
    throw stageError(stage, 'boundaries must be of one type and in ascending order');
  }
  const isWithin =
    fallback !== undefined &&
    compareValues(fallback, values[0]) >= 0 &&
    compareValues(fallback, values.at(-1)) < 0;
  if (isWithin) {
    throw stageError(stage, 'the default must be outside the boundaries');
  }
  const fields = groupFields(stage, requireDocument(stage, output, 'output'));
  return { groupBy: parseExpression(stage, groupBy), boundaries: values, fallback, fields };
}

function getValueKind(value: unknown): string {
  return value instanceof Date ? 'date' : typeof value;
}
