import assert from 'node:assert/strict';
import { mebibytes, minutes } from '../../../../src/service/training/managed/formatQuantity';

describe('training limits', () => {
  it('are formatted in whole minutes, and in seconds below one', () => {
    const texts = [1, 0.5, 40, 60, 90, 3600].map(minutes);
    assert.deepEqual(texts, [
      '1 second',
      '0.5 seconds',
      '40 seconds',
      '1 minute',
      '2 minutes',
      '60 minutes',
    ]);
  });

  it('are formatted in mebibytes', () => {
    assert.equal(mebibytes(3 * 1024 ** 3), '3072 MiB');
  });
});
