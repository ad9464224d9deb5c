import { stageError, type RunStage, type Stage } from '../stage';
import { compareValues } from '../values/compareValues';
import type { Document } from '../values/document';
import { pathOf } from '../values/fieldTree';
import { valuesAt } from '../values/valueAt';
import { afterAll, checked, documentOf } from './support';

const MAX_KEYS = 32;

/** What documents are ordered by, the first key first. */
export interface SortKey {
  path: readonly string[];
  descending: boolean;
}

/**
 * `$sort`: the documents in an order; equal ones stay as they came.
 * @param limit no more than these first ones are wanted, and no more are held.
 */
export function sortStage(stage: Stage, limit?: number): RunStage {
  const keys = sortKeys(stage, stage.spec);
  return afterAll(stage, async (input) => {
    let kept: Keyed[] = [];
    for await (const batch of input) {
      for (const document of batch) {
        kept.push(keyed(document, keys));
      }
      if (limit !== undefined && kept.length > 2 * limit + batch.length) {
        kept = ordered(kept, keys).slice(0, limit);
      }
    }
    return ordered(kept, keys)
      .slice(0, limit)
      .map(({ document }) => document);
  });
}

/** Puts documents in an order. */
export function sortDocuments(
  documents: readonly Document[],
  keys: readonly SortKey[],
): Document[] {
  return ordered(
    documents.map((document) => keyed(document, keys)),
    keys,
  ).map(({ document }) => document);
}

/** Reads what to sort by: 1 is ascending, -1 descending. */
export function sortKeys(stage: Stage, spec: unknown, what = 'it'): SortKey[] {
  const entries = Object.entries(documentOf(stage, spec, what));
  if (entries.length === 0 || entries.length > MAX_KEYS) {
    throw stageError(stage, `${what} must name 1 to ${String(MAX_KEYS)} fields`);
  }
  return entries.map(([name, direction]) => {
    if (direction !== 1 && direction !== -1) {
      throw stageError(stage, `the direction of ${name} must be 1 (ascending) or -1 (descending)`);
    }
    return { path: checked(stage, () => pathOf(name)), descending: direction === -1 };
  });
}

interface Keyed {
  document: Document;
  values: readonly unknown[];
}

function keyed(document: Document, keys: readonly SortKey[]): Keyed {
  return { document, values: keys.map((key) => sortValue(document, key)) };
}

/** Of an array the least element, or the greatest when descending, as MongoDB sorts. */
function sortValue(document: Document, { path, descending }: SortKey): unknown {
  const found = valuesAt(document, path).flatMap((value): unknown[] =>
    Array.isArray(value) && value.length > 0 ? value : [value],
  );
  return found.length < 2
    ? found[0]
    : found.reduce((best, value) => (compareValues(value, best) < 0 === descending ? best : value));
}

function ordered(documents: readonly Keyed[], keys: readonly SortKey[]): Keyed[] {
  return documents.toSorted((left, right) => {
    for (const [index, { descending }] of keys.entries()) {
      const order = compareValues(left.values[index], right.values[index]);
      if (order !== 0) {
        return descending ? -order : order;
      }
    }
    return 0;
  });
}
