import assert from 'node:assert/strict';
import { completeAfterCancel } from '../../../src/base/abandonAfterAbort';

const LEFT = new Error('left');

describe('work that a person leaves', () => {
  it('answers what came of it', async () => {
    assert.equal(await completeAfterCancel((begun) => begun(Promise.resolve(7))), 7);
  });

  it('comes to its end when the person leaves in the meantime', async () => {
    const sent = Promise.withResolvers<number>();
    const result = completeAfterCancel<number>((begun) => {
      void begun(sent.promise);
      return Promise.reject(LEFT);
    });
    sent.resolve(7);
    assert.equal(await result, 7);
  });

  it('is given up when it was not begun, or came to nothing', async () => {
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
