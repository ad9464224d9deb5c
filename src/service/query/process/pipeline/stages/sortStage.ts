import { type RunStage, type Stage, stageError } from '../stage';
import { toGroupKey } from '../compareValues';
import { type Document, parseFieldPath, valueAt } from '../document';
import { type Keyed, keyed, ordered, parseSortKeys, type SortKey } from '../sortKeys';
import { afterAll, checked, parseExpression } from './stageCompiler';
import type { Expressions } from '../expressions';

/**
 * `$sort`: sorts documents with a stable sort.
 * @param limit number of leading documents to return, which also limits memory use.
 */
export function sortStage(stage: Stage, limit?: number): RunStage {
  const keys = stageSortKeys(stage, stage.spec);
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

/** Parses the sort specification of a stage. */
export function stageSortKeys(stage: Stage, spec: unknown, what = 'it'): SortKey[] {
  return checked(stage, () => parseSortKeys(spec, what));
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
