import assert from 'node:assert/strict';
import { AmountText } from '../../webview/results/amountText';

describe('AmountText.bytes', () => {
  it('writes bytes with their plural and larger units by their symbols', () => {
    const amounts = new AmountText('en-US');
    assert.deepEqual(
      [0, 1, 28, 1_500, 2_000_000].map((bytes) => amounts.bytes(bytes)),
      ['0 bytes', '1 byte', '28 bytes', '1.5 kB', '2 MB'],
    );
  });
});
