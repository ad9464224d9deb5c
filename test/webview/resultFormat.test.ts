import assert from 'node:assert/strict';
import { AmountFormatter } from '../../webview/results/resultFormat';

describe('AmountFormatter.number', () => {
  it('formats numbers of more than 15 digits with an exponent', () => {
    const amounts = new AmountFormatter('en-US');
    assert.deepEqual(
      [1_234_567, -1.5, 999_999_999_999_999, 1e38, -1.25e15].map((value) => amounts.number(value)),
      ['1,234,567', '-1.5', '999,999,999,999,999', '1E38', '-1.25E15'],
    );
  });
});

describe('AmountFormatter.bytes', () => {
  it('formats bytes with their plural and larger units by their symbols', () => {
    const amounts = new AmountFormatter('en-US');
    assert.deepEqual(
      [0, 1, 28, 1_500, 2_000_000].map((bytes) => amounts.bytes(bytes)),
      ['0 bytes', '1 byte', '28 bytes', '1.5 kB', '2 MB'],
    );
  });
});
