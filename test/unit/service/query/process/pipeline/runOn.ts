import { serialize } from 'bson';
import {
  type Collection,
  decodeStages,
  throughStages,
} from '../../../../../../src/service/query/process/pipeline/decodeStages';
import { Expressions } from '../../../../../../src/service/query/process/pipeline/expressions';
import {
  type Batches,
  type Document,
  inBatches,
} from '../../../../../../src/service/query/process/pipeline/document';

/** Runs stages on documents of any shape, which are also used as the collection `readings`. */
export async function runOn(
  documents: readonly Document[],
  ...stages: readonly Document[]
): Promise<Document[]> {
  const decoded = decodeStages(stages.map((stage) => serialize(stage)));
  const results: Document[] = [];
  const collection = createCollection(() => batches(documents));
  const run = throughStages(decoded, new Expressions(), collection);
  for await (const batch of run(batches(documents))) {
    results.push(...batch);
  }
  return results;
}

/** Returns a collection that doesn't support pushdown to SQL. */
export function createCollection(read: () => Batches): Collection {
  const collection: Collection = {
    read: (stages, expressions) => throughStages(stages, expressions, collection)(read()),
    leftAfterSql: (stages) => stages,
  };
  return collection;
}

async function* batches(documents: readonly Document[]): AsyncGenerator<readonly Document[], void> {
  await Promise.resolve();
  yield* inBatches(documents);
}
