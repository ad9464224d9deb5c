import assert from 'node:assert/strict';
import { allPages } from '../../../../src/core/api/paging';
import type { Page } from '../../../../src/core/model/history';

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('allPages', () => {
  it('reads until there is no next page', async () => {
    const first: Page<number> = { items: [1, 2], nextPageToken: 'second' };
    const second: Page<number> = { items: [3], nextPageToken: '' };
    const read = (token?: string) => Promise.resolve(token === 'second' ? second : first);
    assert.deepEqual(await collect(allPages(read)), [1, 2, 3]);
  });

  it('leaves a service that repeats itself', async () => {
    const read = () => Promise.resolve({ items: [1], nextPageToken: 'same' });
    assert.deepEqual(await collect(allPages(read)), [1, 1]);
  });

  it('stops when nobody waits any more', async () => {
    const controller = new AbortController();
    const read = () => {
      controller.abort(new Error('enough'));
      return Promise.resolve({ items: [1], nextPageToken: 'next' });
    };
    await assert.rejects(collect(allPages(read, controller.signal)), /enough/);
  });
});
