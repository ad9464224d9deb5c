import assert from 'node:assert/strict';
import { runBulk, unfinishedItems, oneByOne } from '../../../../src/core/bulk/bulkRun';
import { FleetError } from '../../../../src/core/api/errors';

const never = new AbortController().signal;

describe('runBulk', () => {
  it('continues after a failure and returns results in the order of the items', async () => {
    const progress: number[] = [];
    const outcomes = await runBulk(
      [1, 2, 3],
      (item) => (item === 2 ? Promise.reject(new Error('two')) : Promise.resolve()),
      { limit: 2, signal: never, onProgress: (finished) => progress.push(finished) },
    );
    assert.deepEqual(
      outcomes.map(({ item, state }) => [item, state]),
      [
        [1, 'done'],
        [2, 'failed'],
        [3, 'done'],
      ],
    );
    assert.deepEqual(progress, [1, 2, 3]);
    assert.deepEqual(unfinishedItems(outcomes), [2]);
  });

  it('never processes more items than the limit at the same time', async () => {
    let [running, most] = [0, 0];
    const work = async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
    };
    await runBulk(Array.from({ length: 20 }), work, { limit: 4, signal: never });
    assert.equal(most, 4);
  });

  it('starts nothing after it is canceled, and waits for running work', async () => {
    const controller = new AbortController();
    const work = async (item: number): Promise<void> => {
      if (item === 2) controller.abort();
      await new Promise(setImmediate);
    };
    const outcomes = await runBulk([1, 2, 3, 4], work, { limit: 1, signal: controller.signal });
    assert.deepEqual(
      outcomes.map(({ state }) => state),
      ['done', 'done', 'notStarted', 'notStarted'],
    );
  });

  it('counts work that the signal aborted as not started', async () => {
    const controller = new AbortController();
    const work = (): Promise<void> => {
      controller.abort();
      return Promise.reject(controller.signal.reason as Error);
    };
    const [outcome] = await runBulk([1], work, { limit: 1, signal: controller.signal });
    assert.equal(outcome?.state, 'notStarted');
  });
});

describe('oneByOne', () => {
  const failing =
    (reasons: Readonly<Record<string, FleetError>>, done: string[]) =>
    async (item: string): Promise<void> => {
      await Promise.resolve();
      if (reasons[item]) throw reasons[item];
      done.push(item);
    };
  const bad = (message: string): FleetError => new FleetError('invalid', message);

  it('continues after a failure, and reports its reason at the end', async () => {
    const done: string[] = [];
    const reason = bad('No times.');
    await assert.rejects(oneByOne(['a', 'b', 'c'], failing({ a: reason }, done)), reason);
    assert.deepEqual(done, ['b', 'c']);
  });

  it('reports the reasons of all failures', async () => {
    const work = failing({ a: bad('No times.'), b: bad('Empty.') }, []);
    await assert.rejects(oneByOne(['a', 'b'], work), bad('No times. Empty.'));
  });

  it('skips the rest when the user cancels', async () => {
    const done: string[] = [];
    const left = new FleetError('canceled', 'Left.');
    await assert.rejects(oneByOne(['a', 'b'], failing({ a: left }, done)), left);
    assert.deepEqual(done, []);
  });
});
