import assert from 'node:assert/strict';
import { abandonAfterAbort } from '../../../src/base/abandonAfterAbort';
import type { Sleep } from '../../../src/base/clock';

describe('abandonAfterAbort', () => {
  const immediately: Sleep = () => Promise.resolve();
  const never: Sleep = (_, signal) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });

  it('returns the result of work that finishes', async () => {
    const { signal } = new AbortController();
    assert.equal(await abandonAfterAbort(Promise.resolve(3), { signal, sleep: never }), 3);
  });

  it('waits for canceled work that cleans up', async () => {
    const canceling = new AbortController();
    const { promise, resolve } = Promise.withResolvers<string>();
    const waiting = abandonAfterAbort(promise, { signal: canceling.signal, sleep: never });
    canceling.abort();
    resolve('clean');
    assert.equal(await waiting, 'clean');
  });

  it('stops waiting for canceled work that never finishes', async () => {
    const canceling = new AbortController();
    const hung = new Promise<never>(() => undefined);
    const waiting = abandonAfterAbort(hung, { signal: canceling.signal, sleep: immediately });
    canceling.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
  });

  it('stops waiting if the signal was aborted before', async () => {
    const hung = new Promise<never>(() => undefined);
    const signal = AbortSignal.abort(new Error('enough'));
    await assert.rejects(abandonAfterAbort(hung, { signal, sleep: immediately }), /enough/);
  });
});
