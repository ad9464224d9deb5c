import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { gathered } from '../../../../src/service/server/responses';

const KIBIBYTE = 1024;

describe('gathered', () => {
  const sizes = async (chunks: AsyncIterable<Uint8Array>): Promise<number[]> => {
    const all: number[] = [];
    for await (const chunk of gathered(chunks)) all.push(chunk.length);
    return all;
  };

  const getLength = ({ value }: IteratorResult<Uint8Array, void>) => value?.length;

  it('combines chunks that are ready, up to a size', async () => {
    async function* ready() {
      for (let n = 0; n < 100; n += 1) yield await Promise.resolve(new Uint8Array(KIBIBYTE));
    }
    assert.deepEqual(await sizes(ready()), [64 * KIBIBYTE, 36 * KIBIBYTE]);
  });

  it('preserves bytes and their order', async () => {
    async function* ready() {
      for (const text of ['a', 'bc', '', 'd']) yield await Promise.resolve(Buffer.from(text));
    }
    let text = '';
    for await (const chunk of gathered(ready())) text += Buffer.from(chunk).toString();
    assert.equal(text, 'abcd');
  });

  it('does not wait for later chunks', async () => {
    let go = (): void => undefined;
    async function* late() {
      yield new Uint8Array(1);
      await new Promise<void>((resolve) => (go = resolve));
      yield new Uint8Array(2);
    }
    const all = gathered(late());
    assert.equal(getLength(await all.next()), 1);
    go();
    assert.equal(getLength(await all.next()), 2);
    assert.equal((await all.next()).done, true);
  });

  it('yields to other work, even if chunks are produced and read quickly', async () => {
    const count = 10;
    async function* ready() {
      for (let n = 0; n < count; n += 1) yield await Promise.resolve(new Uint8Array(64 * KIBIBYTE));
    }
    let turns = 0;
    const turn = (): void => {
      turns += 1;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    await sizes(ready());
    clearImmediate(next);
    assert.ok(turns >= count, `${turns} turns`);
  });

  it('reads no chunks in advance without a consumer, and ends with the consumer', async () => {
    let made = 0;
    let ended = false;
    async function* endless() {
      try {
        for (;;) {
          made += 1;
          yield await Promise.resolve(new Uint8Array(KIBIBYTE));
        }
      } finally {
        ended = true;
      }
    }
    const all = gathered(endless());
    await all.next();
    await sleep(0);
    assert.ok(made <= 65);
    await all.return(undefined);
    assert.ok(ended);
  });

  it('passes on the chunks before an error', async () => {
    async function* failing() {
      yield await Promise.resolve(new Uint8Array(1));
      throw new Error('broken');
    }
    const all = gathered(failing());
    assert.equal(getLength(await all.next()), 1);
    await assert.rejects(all.next(), /broken/);
  });

  it('handles an error that occurs while the consumer is busy', async () => {
    async function* failing() {
      for (let count = 0; count < 64; count += 1) {
        yield await Promise.resolve(new Uint8Array(KIBIBYTE));
      }
      throw new Error('broken');
    }
    // An unhandled rejection would end the service.
    const rejections: unknown[] = [];
    const record = (reason: unknown): void => void rejections.push(reason);
    process.on('unhandledRejection', record);
    const all = gathered(failing());
    assert.equal(getLength(await all.next()), 64 * KIBIBYTE);
    await sleep(0);
    await assert.rejects(all.next(), /broken/);
    process.off('unhandledRejection', record);
    assert.deepEqual(rejections, []);
  });
});
