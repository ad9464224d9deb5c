import { serialize } from 'bson';
import { decodeStages } from '../../../../../src/service/query/process/pipeline/decodeStages';
import { Expressions } from '../../../../../src/service/query/process/pipeline/expressions';
import { throughStages } from '../../../../../src/service/query/process/pipeline/throughStages';
import {
  type Document,
  inBatches,
} from '../../../../../src/service/query/process/pipeline/values/document';

/** Sends documents of any form through stages. */
export async function runOn(
  documents: readonly Document[],
  ...stages: readonly Document[]
): Promise<Document[]> {
  const decoded = decodeStages(stages.map((stage) => serialize(stage)));
  const results: Document[] = [];
  for await (const batch of throughStages(decoded, new Expressions())(batches(documents))) {
    results.push(...batch);
  }
  return results;
}

async function* batches(documents: readonly Document[]): AsyncGenerator<readonly Document[], void> {
  await Promise.resolve();
  yield* inBatches(documents);
}
