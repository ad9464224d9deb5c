import assert from 'node:assert/strict';
import { Code, ConnectError } from '@connectrpc/connect';
import { withConsumerTimeout } from '../../../../src/service/query/readingsQueries';

describe('withConsumerTimeout', () => {
  function source(): { chunks: AsyncGenerator<number, void>; ended: Promise<undefined> } {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    async function* count(): AsyncGenerator<number, void> {
      try {
        for (let n = 0; n < 5; n += 1) {
          yield await Promise.resolve(n);
        }
      } finally {
        resolve(undefined);
      }
    }
    return { chunks: count(), ended: promise };
  }

  const isLate = (error: unknown): boolean =>
    ConnectError.from(error).code === Code.DeadlineExceeded;

  it('passes on chunks that are read in time', async () => {
    const taken: number[] = [];
    const limits = { idleSeconds: 5, totalSeconds: 5 };
    for await (const chunk of withConsumerTimeout(source().chunks, limits)) {
      taken.push(chunk);
    }
    assert.deepEqual(taken, [0, 1, 2, 3, 4]);
  });

  it('ends the source while its consumer is idle, and fails the next read', async () => {
    const { chunks, ended } = source();
    const reader = withConsumerTimeout(chunks, { idleSeconds: 0.01, totalSeconds: 5 });
    assert.deepEqual(await reader.next(), { done: false, value: 0 });
    await ended;
    await assert.rejects(reader.next(), isLate);
    assert.equal((await reader.next()).done, true);
  });

  it('ends the source when the total time is exceeded', async () => {
    const { chunks, ended } = source();
    const reader = withConsumerTimeout(chunks, { idleSeconds: 5, totalSeconds: 0.01 });
    await reader.next();
    await ended;
    await assert.rejects(reader.next(), isLate);
  });

  it('ends the source with its consumer', async () => {
    const { chunks, ended } = source();
    for await (const chunk of withConsumerTimeout(chunks, {
      idleSeconds: 5,
      totalSeconds: 5,
    })) {
      if (chunk === 1) break;
    }
    await ended;
  });
});
