import assert from 'node:assert/strict';
import { FleetError } from '../../../../src/core/api/errors';
import { unfinishedItems, workInBatches } from '../../../../src/core/bulk/bulkRun';
import { tagProblem } from '../../../../src/core/model/binaryItem';

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);
const never = new AbortController().signal;

describe('workInBatches', () => {
  it('narrows a rejected batch down to the items that cause the rejection', async () => {
    const done = new Set<number>();
    let calls = 0;
    const work = (batch: readonly number[]): Promise<void> => {
      calls += 1;
      if (batch.some((n) => n === 7 || n === 700)) {
        return Promise.reject(new FleetError('notFound', 'one was deleted'));
      }
      for (const n of batch) done.add(n);
      return Promise.resolve();
    };
    const outcomes = await workInBatches(numbers(1_000), work, {
      size: 250,
      limit: 2,
      signal: never,
    });
    assert.deepEqual(unfinishedItems(outcomes), [7, 700]);
    assert.equal(done.size, 998);
    assert.ok(calls < 60, `${calls} calls`);
  });

  it('does not overload an unavailable service', async () => {
    let calls = 0;
    const outcomes = await workInBatches(
      numbers(1_000),
      () => {
        calls += 1;
        return Promise.reject(new FleetError('unavailable', 'gone'));
      },
      { size: 500, limit: 1, signal: never },
    );
    assert.equal(calls, 2);
    assert.equal(unfinishedItems(outcomes).length, 1_000);
  });

  it('starts nothing after it is canceled, and counts completed items', async () => {
    const controller = new AbortController();
    const progress: number[] = [];
    const outcomes = await workInBatches(
      numbers(1_000),
      () => {
        controller.abort();
        return Promise.resolve();
      },
      { size: 100, limit: 1, signal: controller.signal, onProgress: (n) => progress.push(n) },
    );
    assert.deepEqual(progress, [100]);
    assert.equal(outcomes.filter(({ state }) => state === 'notStarted').length, 900);
  });
});

describe('tagProblem', () => {
  it('matches what the service rejects', () => {
    assert.equal(tagProblem('good'), undefined);
    assert.equal(tagProblem('<b>\u202e, "'), undefined);
    assert.equal(tagProblem(' \n'), 'empty');
    assert.equal(tagProblem('x'.repeat(1_000)), undefined);
    assert.equal(tagProblem('x'.repeat(1_001)), 'tooLong');
    assert.equal(tagProblem('a\0'), 'unusable');
    assert.equal(tagProblem('SVC_DATASET_1'), 'ofDataset');
  });
});
