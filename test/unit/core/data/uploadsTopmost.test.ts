import assert from 'node:assert/strict';
import { topmost } from '../../../../src/core/data/uploads/fileSource';

describe('what was chosen without what is in it already', () => {
  it('leaves out what is in a chosen folder, at every depth, and what was chosen twice', () => {
    const chosen = ['file:///a/b/c.jpg', 'file:///a', 'file:///ab', 'file:///a/b', 'file:///ab'];
    assert.deepEqual(topmost(chosen), ['file:///a', 'file:///ab']);
  });

  it('takes linear time for many', () => {
    const folder = 'file:///home/somebody/pictures';
    const chosen = Array.from({ length: 50_000 }, (_, n) => `${folder}/${n}.jpg`);
    assert.equal(topmost(chosen).length, chosen.length);
  });
});
