import assert from 'node:assert/strict';
import {
  createTimePageToken,
  pageLimit,
  parseTimePageToken,
} from '../../../../src/service/messages/wireTimes';

describe('pageLimit', () => {
  const limits = { byDefault: 100, max: 10_000 };

  it('returns the default for 0', () => {
    assert.equal(pageLimit(0n, limits), 100);
  });

  it('returns a requested limit up to the maximum', () => {
    assert.equal(pageLimit(1n, limits), 1);
    assert.equal(pageLimit(10_000n, limits), 10_000);
  });

  it('caps a larger limit at the maximum', () => {
    assert.equal(pageLimit(10_001n, limits), 10_000);
    assert.equal(pageLimit(2n ** 63n - 1n, limits), 10_000);
  });
});

describe('parseTimePageToken', () => {
  const end = { at: -1_700_000_000_000_000, id: 42 };

  it('parses the end of a page', () => {
    assert.deepEqual(parseTimePageToken('l', createTimePageToken('l', end)), end);
  });

  it('returns undefined for a token of another list', () => {
    assert.equal(parseTimePageToken('t', createTimePageToken('l', end)), undefined);
  });

  it('returns undefined for text that is not a token', () => {
    for (const text of ['', 'l1.2', Buffer.from('l1').toString('base64url')]) {
      assert.equal(parseTimePageToken('l', text), undefined, text);
    }
  });
});
