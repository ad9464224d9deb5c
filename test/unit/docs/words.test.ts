import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fromRoot } from '../../../scripts/support/paths';

describe('docs/words.txt', () => {
  it('lists each word once, in lower case and in alphabetical order', () => {
    const words = readFileSync(fromRoot('docs', 'words.txt'), 'utf8').trimEnd().split('\n');
    const sorted = [...new Set(words.map((word) => word.toLowerCase()))].sort();
    assert.deepEqual(words, sorted);
  });
});
