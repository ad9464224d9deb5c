import assert from 'node:assert/strict';
import { decodePathId, encodePathId } from '../../../../src/core/documents/pathId';

describe('encodePathId', () => {
  it('leaves IDs of letters, digits, hyphens, and underscores unchanged', () => {
    assert.equal(encodePathId('36bbed44-b0d5_X'), '36bbed44-b0d5_X');
  });

  it('encodes other IDs, which decodePathId decodes', () => {
    for (const id of ['../x', 'ÄÖ', '~61', 'a b', '\uFEFFa']) {
      const segment = encodePathId(id);
      assert.match(segment, /^~[0-9a-f]+$/);
      assert.equal(decodePathId(segment), id);
    }
  });
});

describe('decodePathId', () => {
  it('returns undefined for text that is not an encoded ID', () => {
    for (const segment of ['', '~', '~zz', '~616', 'a/b', '~ff', '~61ff', '~c3', '~eda080']) {
      assert.equal(decodePathId(segment), undefined, segment);
    }
  });
});
