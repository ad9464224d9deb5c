import { deepStrictEqual } from 'node:assert/strict';
import { JobError } from '../../../../../../src/service/query/process/jobError';
import type { Document } from '../../../../../../src/service/query/process/pipeline/document';
import { seededRandom } from '../../../../../support/seededRandom';
import { pipelineFixture, type PipelineFixture } from './pipelineFixture';
import { randomPipeline, randomReadings } from './randomPipelines';

const PIPELINES = Number(process.env.FLEETWRIGHT_TEST_PIPELINES ?? '40');

describe('pipelines in SQL and in memory', () => {
  const seed = Number(process.env.FLEETWRIGHT_TEST_SEED ?? '20260101');
  let fixture: PipelineFixture;

  before(async () => {
    fixture = await pipelineFixture(randomReadings(seededRandom(seed), 150));
  });
  after(() => fixture[Symbol.asyncDispose]());

  // Each pipeline opens a database twice.
  it(`return the same documents for random pipelines (seed ${String(seed)})`, async () => {
    const random = seededRandom(seed + 1);
    for (let count = 0; count < PIPELINES; count++) {
      const stages = randomPipeline(random);
      const inSql = await outcome(() => fixture.run(stages), stages);
      const inMemory = await outcome(() => fixture.runInMemory(stages), stages);
      deepStrictEqual(inSql, inMemory, JSON.stringify(stages));
    }
  }).timeout(60_000 + PIPELINES * 1000);
});

/** Returns the resulting documents or the error message. */
async function outcome(
  run: () => Promise<Document[]>,
  stages: readonly Document[],
): Promise<unknown> {
  try {
    return comparable(await run(), stages);
  } catch (error) {
    if (error instanceof JobError) return error.message;
    throw error;
  }
}

/**
 * Removes permitted differences: the order of unsorted documents, the position of a field that was
 * temporarily missing, and the last digits of sums.
 */
function comparable(documents: readonly Document[], stages: readonly Document[]): unknown[] {
  const texts = documents.map((document) =>
    JSON.stringify(sortedFields(document), (_, value: unknown) =>
      typeof value === 'number' ? Number(value.toPrecision(9)) : value,
    ),
  );
  const [first, ...others] = stages.flatMap((stage) => Object.keys(stage));
  const isSorted =
    first === '$sort' &&
    'data.readings.number' in (stages[0]?.$sort as Document) &&
    !others.some((name) => ['$sort', '$group', '$sortByCount'].includes(name));
  return isSorted ? texts : texts.toSorted();
}

function sortedFields(document: Document): Document {
  return Object.fromEntries(Object.entries(document).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
