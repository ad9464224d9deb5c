import assert from 'node:assert/strict';
import { type CancellationTokenLike, withToken } from '../../../src/base/cancellation';
import { systemSleep } from '../../../src/base/clock';
import { Emitter } from '../../../src/base/emitter';

function tokenSource(): { token: CancellationTokenLike; cancel: () => void } {
  const emitter = new Emitter<void>();
  let requested = false;
  return {
    token: {
      get isCancellationRequested() {
        return requested;
      },
      onCancellationRequested: (listener) => emitter.event(listener),
    },
    cancel: () => {
      requested = true;
      emitter.fire();
    },
  };
}

describe('cancellation', () => {
  it('aborts the signal when the token is canceled', async () => {
    const { token, cancel } = tokenSource();
    const aborted = await withToken(token, (signal) => {
      cancel();
      return Promise.resolve(signal.aborted);
    });
    assert.equal(aborted, true);
  });

  it('starts aborted if the token is already canceled', async () => {
    const { token, cancel } = tokenSource();
    cancel();
    assert.equal(await withToken(token, (signal) => Promise.resolve(signal.aborted)), true);
  });

  it('ends a sleep early', async () => {
    const controller = new AbortController();
    const sleeping = systemSleep(60_000, controller.signal);
    controller.abort(new Error('enough'));
    await assert.rejects(sleeping, /enough/);
  });
});
