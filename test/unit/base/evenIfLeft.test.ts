import assert from 'node:assert/strict';
import { completeAfterCancel } from '../../../src/base/abandonAfterAbort';

const LEFT = new Error('left');

describe('completeAfterCancel', () => {
  it('returns the result', async () => {
    assert.equal(await completeAfterCancel((begun) => begun(Promise.resolve(7))), 7);
  });

  it('waits for started work when the user cancels', async () => {
    const sent = Promise.withResolvers<number>();
    const result = completeAfterCancel<number>((begun) => {
      void begun(sent.promise);
      return Promise.reject(LEFT);
    });
    sent.resolve(7);
    assert.equal(await result, 7);
  });

  it('rejects if the work was not started, or failed', async () => {
    await assert.rejects(
      completeAfterCancel(() => Promise.reject(LEFT)),
      LEFT,
    );
    const failing = completeAfterCancel<number>(async (begun) => {
      await begun(Promise.reject(new Error('refused'))).catch(() => undefined);
      throw LEFT;
    });
    await assert.rejects(failing, LEFT);
  });
});
