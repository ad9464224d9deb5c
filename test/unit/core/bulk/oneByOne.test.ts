import assert from 'node:assert/strict';
import { FleetError } from '../../../../src/core/api/errors';
import { oneByOne } from '../../../../src/core/bulk/oneByOne';

describe('oneByOne', () => {
  const failing =
    (reasons: Readonly<Record<string, FleetError>>, done: string[]) =>
    async (item: string): Promise<void> => {
      await Promise.resolve();
      if (reasons[item]) throw reasons[item];
      done.push(item);
    };
  const bad = (message: string): FleetError => new FleetError('invalid', message);

  it('goes on after one that failed, and says its reason in the end', async () => {
    const done: string[] = [];
    const reason = bad('No times.');
    await assert.rejects(oneByOne(['a', 'b', 'c'], failing({ a: reason }, done)), reason);
    assert.deepEqual(done, ['b', 'c']);
  });

  it('says the reasons of all that failed', async () => {
    const work = failing({ a: bad('No times.'), b: bad('Empty.') }, []);
    await assert.rejects(oneByOne(['a', 'b'], work), bad('No times. Empty.'));
  });

  it('leaves what follows when a person leaves', async () => {
    const done: string[] = [];
    const left = new FleetError('canceled', 'Left.');
    await assert.rejects(oneByOne(['a', 'b'], failing({ a: left }, done)), left);
    assert.deepEqual(done, []);
  });
});
