import assert from 'node:assert/strict';
import { ahead } from '../../../src/base/slices';

async function* numbers(count: number): AsyncGenerator<number> {
  for (let number = 0; number < count; number += 1) yield await Promise.resolve(number);
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('ahead', () => {
  it('preserves the order of the items, regardless of which finishes first', async () => {
    const waiting: (() => void)[] = [];
    const results = all(
      ahead(numbers(6), 3, async (number) => {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          // Let the last of the tasks in progress finish first.
          if (waiting.length % 3 === 0) {
            waiting
              .splice(0)
              .toReversed()
              .forEach((go) => go());
          }
        });
        return number * 10;
      }),
    );
    assert.deepEqual(await results, [0, 10, 20, 30, 40, 50]);
  });

  it('never works on more items than the limit', async () => {
    let [running, most] = [0, 0];
    await all(
      ahead(numbers(20), 4, async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
      }),
    );
    assert.equal(most, 4);
  });

  it('fails with the first error in order, and waits for the rest', async () => {
    let running = 0;
    const found: number[] = [];
    const work = async (number: number): Promise<number> => {
      running += 1;
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (number === 2) throw new Error('two');
      return number;
    };
    await assert.rejects(async () => {
      for await (const number of ahead(numbers(9), 3, work)) found.push(number);
    }, /two/);
    assert.deepEqual(found, [0, 1]);
    assert.equal(running, 0);
  });

  it('starts nothing more when the consumer stops', async () => {
    let begun = 0;
    for await (const number of ahead(numbers(100), 2, async (item) => {
      begun += 1;
      return Promise.resolve(item);
    })) {
      if (number === 3) break;
    }
    assert.ok(begun <= 6, String(begun));
  });
});
