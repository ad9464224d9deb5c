import type { Expressions } from '../expressions';
import { stageError, type RunStage, type Stage } from '../stage';
import { collect, isNullish, type Document } from '../values/document';
import { parseFieldPath } from '../values/fieldTree';
import { valueAt, withValueAt } from '../values/valueAt';
import { interpolate } from './interpolation';
import { partition, partitionKey } from './partitions';
import { sortDocuments, sortKeys, type SortKey } from './sortStage';
import { afterAll, checked, parseExpression, parseOptions, requireDocument } from './support';

type Filling = (documents: Document[]) => Document[];

/** `$fill`: fills null and missing values. */
export function fillStage(stage: Stage, expressions: Expressions): RunStage {
  const options = parseOptions(stage, {
    known: ['partitionBy', 'partitionByFields', 'sortBy', 'output'],
    required: ['output'],
  });
  const keys = options.sortBy === undefined ? [] : sortKeys(stage, options.sortBy, 'sortBy');
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
