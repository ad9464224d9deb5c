import assert from 'node:assert/strict';
import { Code, ConnectError } from '@connectrpc/connect';
import {
  createRowPageTokens,
  createSequencePageTokens,
  itemPageTokens,
  pageLimit,
} from '../../../../src/service/messages/paging';

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function isInvalidToken(error: unknown): boolean {
  assert.ok(error instanceof ConnectError);
  assert.equal(error.code, Code.InvalidArgument);
  assert.match(error.rawMessage, /^last: must be the value from an earlier response/);
  return true;
}

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

describe('createRowPageTokens', () => {
  const tokens = createRowPageTokens('l');
  const end = { at: -1_700_000_000_000_000, id: 42 };

  it('creates tokens that it can parse', () => {
    assert.equal(tokens.create(end), toBase64('l-1700000000000000.42'));
    assert.deepEqual(tokens.parse(tokens.create(end)), end);
  });

  it('uses an empty token for the first page and after the last page', () => {
    assert.equal(tokens.create(undefined), '');
    assert.equal(tokens.parse(''), undefined);
  });

  it('rejects a token of another list', () => {
    const other = createRowPageTokens('t').create(end);
    assert.throws(() => tokens.parse(other, 'last'), isInvalidToken);
  });

  it('rejects text that is not a token', () => {
    for (const text of ['l1.2', toBase64('l1'), toBase64('l1.x'), toBase64('l1.2 ')]) {
      assert.throws(() => tokens.parse(text, 'last'), isInvalidToken, text);
    }
  });
});

describe('itemPageTokens', () => {
  const end = { at: 1_700_000_000_000_000, id: '11111111-2222-3333-4444-555555555555' };

  it('creates tokens that it can parse', () => {
    assert.equal(itemPageTokens.create(end), `1700000000000000.${end.id}`);
    assert.deepEqual(itemPageTokens.parse(itemPageTokens.create(end)), end);
  });

  it('rejects text that is not a token', () => {
    for (const text of ['nonsense', '1.2', `x.${end.id}`, ` 1.${end.id}`]) {
      assert.throws(() => itemPageTokens.parse(text, 'last'), isInvalidToken, text);
    }
  });
});

describe('createSequencePageTokens', () => {
  const tokens = createSequencePageTokens('r');

  it('creates tokens that it can parse', () => {
    assert.equal(tokens.create(42), toBase64('r42'));
    assert.equal(tokens.parse(tokens.create(42)), 42);
  });

  it('rejects a token of another list', () => {
    const other = createSequencePageTokens('after-').create(42);
    assert.throws(() => tokens.parse(other, 'last'), isInvalidToken);
  });

  it('rejects text that is not a token', () => {
    for (const text of ['r42', toBase64('r'), toBase64('r-1'), toBase64('r1.2')]) {
      assert.throws(() => tokens.parse(text, 'last'), isInvalidToken, text);
    }
  });

  it('names the page_token field by default', () => {
    assert.throws(() => tokens.parse('nonsense'), /page_token: must be/);
  });
});
