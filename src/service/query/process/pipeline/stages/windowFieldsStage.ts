import type { Expressions } from '../expressions';
import type { RunStage, Stage } from '../stage';
import { collect, type Document } from '../values/document';
import { fieldTree, parseFieldPath } from '../values/fieldTree';
import { valueAt, withValueAt } from '../values/valueAt';
import { partition, partitionKey, type Partition } from './partitions';
import { sortDocuments, sortKeys, type SortKey } from './sortStage';
import { afterAll, checked, requireDocument, parseOptions } from './support';
import { compileWindowFunction, type WindowFunction } from './windowFields/windowFunctions';

interface OutputField {
  path: readonly string[];
  compute: WindowFunction;
}

/**
 * `$setWindowFields`: adds fields to each document that are computed from surrounding documents.
 */
export function windowFieldsStage(stage: Stage, expressions: Expressions): RunStage {
  const spec = parseOptions(stage, {
    known: ['partitionBy', 'sortBy', 'output'],
    required: ['output'],
  });
  const keys = spec.sortBy === undefined ? [] : sortKeys(stage, spec.sortBy, 'sortBy');
  const key = partitionKey(stage, { partitionBy: spec.partitionBy }, expressions);
  const output = Object.entries(requireDocument(stage, spec.output, 'output'));
  checked(stage, () => fieldTree(Object.fromEntries(output.map(([name]) => [name, 1])), Boolean));
  const fields = output.map(([name, value]) => ({
    path: checked(stage, () => parseFieldPath(name)),
    compute: compileWindowFunction(
      stage,
      [name, requireDocument(stage, value, name)],
      keys,
      expressions,
    ),
  }));
  return afterAll(stage, async (input) =>
    addFields(partition(await collect(input), key), keys, fields),
  );
}

/** Every function receives the input documents, without the added fields. */
function* addFields(
  partitions: readonly Partition[],
  keys: readonly SortKey[],
  fields: readonly OutputField[],
): Generator<Document, void> {
  const [first] = keys;
  for (const part of partitions) {
    const documents = sortDocuments(part.documents, keys);
    const sortValues =
      first === undefined ? [] : documents.map((document) => valueAt(document, first.path));
    const columns = fields.map(({ path, compute }) => ({
      path,
      values: compute({ documents, sortValues }),
    }));
    for (const [index, document] of documents.entries()) {
      yield columns.reduce(
        (added, { path, values }) => withValueAt(added, path, values[index]),
        document,
      );
    }
  }
}
