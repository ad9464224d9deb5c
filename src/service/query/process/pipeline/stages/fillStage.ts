import type { Expressions } from '../expressions';
import { type RunStage, type Stage, stageError } from '../stage';
import {
  collect,
  type Document,
  isNullish,
  parseFieldPath,
  valueAt,
  withValueAt,
} from '../document';
import { partition, partitionKey, stageSortKeys } from './sortStage';
import { sortDocuments, type SortKey } from '../sortKeys';
import { afterAll, checked, parseExpression, parseOptions, requireDocument } from './stageCompiler';
import { compareValues } from '../compareValues';

type Filling = (documents: Document[]) => Document[];

/** `$fill`: fills null and missing values. */
export function fillStage(stage: Stage, expressions: Expressions): RunStage {
  const options = parseOptions(stage, {
    known: ['partitionBy', 'partitionByFields', 'sortBy', 'output'],
    required: ['output'],
  });
  const keys = options.sortBy === undefined ? [] : stageSortKeys(stage, options.sortBy, 'sortBy');
  const fillings = Object.entries(requireDocument(stage, options.output, 'output')).map(
    ([name, field]) =>
      createFilling(stage, name, requireDocument(stage, field, name), keys, expressions),
  );
  const key = partitionKey(stage, options, expressions);
  return afterAll(stage, async (input) =>
    partition(await collect(input), key).flatMap(({ documents }) =>
      fillings.reduce((filled, fill) => fill(filled), sortDocuments(documents, keys)),
    ),
  );
}

function createFilling(
  stage: Stage,
  name: string,
  field: Document,
  keys: readonly SortKey[],
  expressions: Expressions,
): Filling {
  const path = checked(stage, () => parseFieldPath(name));
  if ('value' in field) {
    const expression = parseExpression(stage, field.value);
    return (documents) =>
      documents.map((document) =>
        isNullish(valueAt(document, path))
          ? withValueAt(document, path, expressions.compute(document, expression))
          : document,
      );
  }
  if (keys.length === 0) throw stageError(stage, 'it needs sortBy to fill by a method');
  if (field.method === 'locf') return (documents) => carriedForward(documents, path);
  const [key, ...others] = keys;
  if (field.method !== 'linear' || key === undefined || others.length > 0) {
    throw stageError(
      stage,
      `${name} needs a value, the method "locf", or the method "linear" with one field in sortBy`,
    );
  }
  return (documents) => {
    const getValues = (at: readonly string[]): unknown[] =>
      documents.map((document) => valueAt(document, at));
    const values = checked(stage, () => interpolate(getValues(key.path), getValues(path)));
    return documents.map((document, index) => withValueAt(document, path, values[index]));
  };
}

/** Carries the last value forward. */
function carriedForward(documents: readonly Document[], path: readonly string[]): Document[] {
  let last: unknown = null;
  return documents.map((document) => {
    const value = valueAt(document, path);
    if (!isNullish(value)) {
      last = value;
      return document;
    }
    return withValueAt(document, path, last);
  });
}

/**
 * Fills missing values by linear interpolation, like MongoDB. A missing value that isn't between
 * two values becomes null.
 * @param positions the sort key's values: numbers or dates
 * @throws Error with a message for the user if values or positions can't be interpolated.
 */
export function interpolate(positions: readonly unknown[], values: readonly unknown[]): unknown[] {
  const xs = positions.map((position, index) => {
    const previous = positions[index - 1];
    if (index > 0 && compareValues(position, previous) === 0) {
      throw new Error(
        'linear interpolation needs different values in the sortBy field; use a partition for each series',
      );
    }
    const isMixed = index > 0 && position instanceof Date !== previous instanceof Date;
    if (isMixed || (typeof position !== 'number' && !(position instanceof Date))) {
      throw new Error('linear interpolation needs numbers, or dates, in the sortBy field');
    }
    return Number(position);
  });
  const ys = values.map((value) => {
    if (!isNullish(value) && typeof value !== 'number') {
      throw new Error(
        'linear interpolation needs numbers, null, or missing values in the field to fill',
      );
    }
    return value ?? null;
  });
  let before = -1;
  let after = 0;
  return ys.map((y, index) => {
    if (y !== null) {
      before = index;
      return y;
    }
    after = Math.max(after, index);
    while (after < ys.length && ys[after] === null) {
      after++;
    }
    const [x1, y1, x2, y2] = [xs[before], ys[before], xs[after], ys[after]];
    const x = xs[index] ?? 0;
    return x1 === undefined || x2 === undefined || typeof y1 !== 'number' || typeof y2 !== 'number'
      ? null
      : y1 + (x - x1) * ((y2 - y1) / (x2 - x1));
  });
}
