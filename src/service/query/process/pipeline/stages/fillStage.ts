import type { Expressions } from '../expressions';
import { stageError, type RunStage, type Stage } from '../stage';
import { collect, isNothing, type Document } from '../values/document';
import { pathOf } from '../values/fieldTree';
import { valueAt, withValueAt } from '../values/valueAt';
import { partition, partitionKey } from './partitions';
import { sortDocuments, sortKeys, type SortKey } from './sortStage';
import { afterAll, checked, documentOf, expressionOf, optionsOf } from './support';

type Filling = (documents: Document[]) => Document[];

/** `$fill`: puts values where null is, or nothing. */
export function fillStage(stage: Stage, expressions: Expressions): RunStage {
  const options = optionsOf(stage, {
    known: ['partitionBy', 'partitionByFields', 'sortBy', 'output'],
    required: ['output'],
  });
  const keys = options.sortBy === undefined ? [] : sortKeys(stage, options.sortBy, 'sortBy');
  const fillings = Object.entries(documentOf(stage, options.output, 'output')).map(
    ([name, field]) => fillingOf(stage, name, documentOf(stage, field, name), keys, expressions),
  );
  const key = partitionKey(stage, options, expressions);
  return afterAll(stage, async (input) =>
    partition(await collect(input), key).flatMap(({ documents }) =>
      fillings.reduce((filled, fill) => fill(filled), sortDocuments(documents, keys)),
    ),
  );
}

function fillingOf(
  stage: Stage,
  name: string,
  field: Document,
  keys: readonly SortKey[],
  expressions: Expressions,
): Filling {
  const path = checked(stage, () => pathOf(name));
  if ('value' in field) {
    const expression = expressionOf(stage, field.value);
    return (documents) =>
      documents.map((document) =>
        isNothing(valueAt(document, path))
          ? withValueAt(document, path, expressions.compute(document, expression))
          : document,
      );
  }
  if (keys.length === 0) {
    throw stageError(stage, 'it needs sortBy to fill by a method');
  }
  if (field.method === 'locf') {
    return (documents) => carriedForward(documents, path);
  }
  const [key, ...others] = keys;
  if (field.method !== 'linear' || key === undefined || others.length > 0) {
    throw stageError(
      stage,
      `${name} needs a value, the method "locf", or the method "linear" with one field in sortBy`,
    );
  }
  return (documents) => interpolated(stage, documents, path, key);
}

/** The value of the document before. */
function carriedForward(documents: readonly Document[], path: readonly string[]): Document[] {
  let last: unknown = null;
  return documents.map((document) => {
    const value = valueAt(document, path);
    if (!isNothing(value)) {
      last = value;
      return document;
    }
    return withValueAt(document, path, last);
  });
}

/** The value on the line between those before and after, by the distance of what they are sorted by. */
function interpolated(
  stage: Stage,
  documents: readonly Document[],
  path: readonly string[],
  key: SortKey,
): Document[] {
  const points = documents.map((document) => ({
    at: numberOf(stage, valueAt(document, key.path)),
    value: numberOf(stage, valueAt(document, path)),
  }));
  let before = -1;
  let after = 0;
  return documents.map((document, index) => {
    const point = points[index];
    if (point?.value !== undefined) {
      before = index;
      return document;
    }
    after = Math.max(after, index);
    while (after < points.length && points[after]?.value === undefined) {
      after++;
    }
    const [left, right] = [points[before], points[after]];
    return withValueAt(document, path, between(left, point?.at, right) ?? null);
  });
}

interface Point {
  at: number | undefined;
  value: number | undefined;
}

function between(
  left: Point | undefined,
  at: number | undefined,
  right: Point | undefined,
): number | undefined {
  const [x1, y1, x2, y2] = [left?.at, left?.value, right?.at, right?.value];
  if ([x1, y1, x2, y2, at].includes(undefined)) {
    return undefined;
  }
  const [fromX = 0, fromY = 0, toX = 0, toY = 0, x = 0] = [x1, y1, x2, y2, at];
  return toX === fromX ? fromY : fromY + ((toY - fromY) * (x - fromX)) / (toX - fromX);
}

function numberOf(stage: Stage, value: unknown): number | undefined {
  if (isNothing(value)) {
    return undefined;
  }
  if (typeof value === 'number' || value instanceof Date) {
    return Number(value);
  }
  throw stageError(stage, 'the method "linear" fills numbers, in the order of numbers or dates');
}
