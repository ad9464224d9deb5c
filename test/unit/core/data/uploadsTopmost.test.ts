import assert from 'node:assert/strict';
import { topmost } from '../../../../src/core/data/uploads/fileSource';

describe('topmost', () => {
  it('excludes files in a selected folder at every depth, and duplicates', () => {
    const chosen = ['file:///a/b/c.jpg', 'file:///a', 'file:///ab', 'file:///a/b', 'file:///ab'];
    assert.deepEqual(topmost(chosen), ['file:///a', 'file:///ab']);
  });

  it('takes linear time for many', () => {
    const folder = 'file:///home/somebody/pictures';
    const chosen = Array.from({ length: 50_000 }, (_, n) => `${folder}/${n}.jpg`);
    assert.equal(topmost(chosen).length, chosen.length);
  });
});
