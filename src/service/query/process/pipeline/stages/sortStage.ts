import { type RunStage, type Stage, stageError } from '../stage';
import { compareValues, toGroupKey } from '../compareValues';
import { type Document, isArrayIndex, isDocument, parseFieldPath, valueAt } from '../document';
import { afterAll, checked, parseExpression, requireDocument } from './stageCompiler';
import type { Expressions } from '../expressions';

const MAX_KEYS = 32;

/** Sort key. The first key has the highest priority. */
export interface SortKey {
  path: readonly string[];
  descending: boolean;
}

/**
 * `$sort`: sorts documents with a stable sort.
 * @param limit number of leading documents to return, which also limits memory use.
 */
export function sortStage(stage: Stage, limit?: number): RunStage {
  const keys = sortKeys(stage, stage.spec);
  return afterAll(stage, async (input) => {
    let buffered: Keyed[] = [];
    for await (const batch of input) {
      for (const document of batch) {
        buffered.push(keyed(document, keys));
      }
      if (limit !== undefined && buffered.length > 2 * limit + batch.length) {
        buffered = ordered(buffered, keys).slice(0, limit);
      }
    }
    return ordered(buffered, keys)
      .slice(0, limit)
      .map(({ document }) => document);
  });
}

/** Sorts documents. */
export function sortDocuments(
  documents: readonly Document[],
  keys: readonly SortKey[],
): Document[] {
  return ordered(
    documents.map((document) => keyed(document, keys)),
    keys,
  ).map(({ document }) => document);
}

/** Parses a sort specification, in which 1 means ascending and -1 means descending. */
export function sortKeys(stage: Stage, spec: unknown, what = 'it'): SortKey[] {
  const entries = Object.entries(requireDocument(stage, spec, what));
  if (entries.length === 0 || entries.length > MAX_KEYS) {
    throw stageError(stage, `${what} must name 1 to ${String(MAX_KEYS)} fields`);
  }
  return entries.map(([name, direction]) => {
    if (direction !== 1 && direction !== -1) {
      throw stageError(stage, `the direction of ${name} must be 1 (ascending) or -1 (descending)`);
    }
    return { path: checked(stage, () => parseFieldPath(name)), descending: direction === -1 };
  });
}

interface Keyed {
  document: Document;
  values: readonly unknown[];
}

function keyed(document: Document, keys: readonly SortKey[]): Keyed {
  return { document, values: keys.map((key) => sortValue(document, key)) };
}

/** Sort value of an empty array, which is less than null. */
const EMPTY = Symbol('empty array');

/**
 * Returns the value to sort by. As in MongoDB, an array is sorted by its smallest element, or by
 * its largest if descending.
 */
function sortValue(document: Document, { path, descending }: SortKey): unknown {
  return sortValuesAt(document, path).reduce((best, value) =>
    compareSortValues(value, best) < 0 === descending ? best : value,
  );
}

/**
 * Returns all values at a path, at least one. Array elements that lack the field count as
 * undefined.
 */
function sortValuesAt(value: unknown, path: readonly string[]): readonly unknown[] {
  const [name, ...rest] = path;
  if (name === undefined) {
    return !Array.isArray(value) ? [value] : value.length === 0 ? [EMPTY] : value;
  }
  if (Array.isArray(value)) {
    const elements: readonly unknown[] = value;
    if (isArrayIndex(name)) return sortValuesAt(elements[Number(name)], rest);
    return elements.length === 0
      ? [undefined]
      : elements.flatMap((item) => sortValuesAt(isDocument(item) ? item : {}, path));
  }
  return isDocument(value) && Object.hasOwn(value, name)
    ? sortValuesAt(value[name], rest)
    : [undefined];
}

function compareSortValues(left: unknown, right: unknown): number {
  return left === EMPTY || right === EMPTY
    ? Number(right === EMPTY) - Number(left === EMPTY)
    : compareValues(left, right);
}

function ordered(documents: readonly Keyed[], keys: readonly SortKey[]): Keyed[] {
  return documents.toSorted((left, right) => {
    for (const [index, { descending }] of keys.entries()) {
      const order = compareSortValues(left.values[index], right.values[index]);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
}

/** Documents in the same partition, in input order. */
export interface Partition {
  key: unknown;
  documents: Document[];
}

/** Partitions documents by a value. */
export function partition(
  documents: readonly Document[],
  getKey: (document: Document) => unknown,
): Partition[] {
  const partitions = new Map<string, Partition>();
  for (const document of documents) {
    const key = getKey(document);
    const text = toGroupKey(key);
    const found = partitions.get(text);
    if (found === undefined) {
      partitions.set(text, { key, documents: [document] });
    } else {
      found.documents.push(document);
    }
  }
  return [...partitions.values()];
}

/** Parses `partitionByFields`: paths of fields. */
export function partitionPaths(stage: Stage, value: unknown = []): string[][] {
  if (!Array.isArray(value) || value.some((name) => typeof name !== 'string')) {
    throw stageError(stage, 'partitionByFields must be an array of field names');
  }
  return checked(stage, () => value.map((name) => parseFieldPath(String(name))));
}

/** Converts `partitionBy` or `partitionByFields` to the partition key. */
export function partitionKey(
  stage: Stage,
  { partitionBy, partitionByFields }: Document,
  expressions: Expressions,
): (document: Document) => unknown {
  if (partitionBy !== undefined && partitionByFields !== undefined) {
    throw stageError(stage, 'it must have either partitionBy or partitionByFields');
  }
  const paths = partitionPaths(stage, partitionByFields);
  const expression = parseExpression(stage, partitionBy);
  const checkValue = (value: unknown): unknown => {
    if (Array.isArray(value)) throw stageError(stage, "documents can't be partitioned by an array");
    return value;
  };
  return expression === undefined
    ? (document) => paths.map((path) => checkValue(valueAt(document, path)))
    : (document) => checkValue(expressions.compute(document, expression));
}
