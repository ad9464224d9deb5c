import { compareValues } from './compareValues';
import { type Document, isArrayIndex, isDocument, parseFieldPath } from './document';

const MAX_KEYS = 32;

/** Sort key. The first key has the highest priority. */
export interface SortKey {
  path: readonly string[];
  descending: boolean;
}

/**
 * Parses a sort specification, in which 1 means ascending and -1 means descending.
 * @param what name of the specification in errors
 */
export function parseSortKeys(spec: unknown, what: string): SortKey[] {
  if (!isDocument(spec)) throw new TypeError(`${what} must be a document, such as {"field": 1}`);
  const entries = Object.entries(spec);
  if (entries.length === 0 || entries.length > MAX_KEYS) {
    throw new TypeError(`${what} must name 1 to ${String(MAX_KEYS)} fields`);
  }
  return entries.map(([name, direction]) => {
    if (direction !== 1 && direction !== -1) {
      throw new TypeError(`the direction of ${name} must be 1 (ascending) or -1 (descending)`);
    }
    return { path: parseFieldPath(name), descending: direction === -1 };
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

/** A document with its values to sort by. */
export interface Keyed {
  document: Document;
  values: readonly unknown[];
}

export function keyed(document: Document, keys: readonly SortKey[]): Keyed {
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

/** Sorts documents with a stable sort. */
export function ordered(documents: readonly Keyed[], keys: readonly SortKey[]): Keyed[] {
  return documents.toSorted((left, right) => {
    for (const [index, { descending }] of keys.entries()) {
      const order = compareSortValues(left.values[index], right.values[index]);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
}
