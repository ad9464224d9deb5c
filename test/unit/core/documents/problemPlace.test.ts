import assert from 'node:assert/strict';
import { findProblemRange } from '../../../../src/core/documents/rejection';

const TEXT = '{"components": [{"name": "arm", "a.b": {"rpm": 1}}]}';

function under(field: string): string {
  const { offset, length } = findProblemRange(TEXT, field);
  return TEXT.slice(offset, offset + length);
}

describe('findProblemRange', () => {
  it('finds the value that a field names', () => {
    assert.equal(under('components[0].name'), '"arm"');
    assert.equal(under('components.0["a.b"].rpm'), '1');
  });

  it('skips the name of the request field', () => {
    assert.equal(under('config.components[0].name'), '"arm"');
  });

  it('falls back to the enclosing value, and to the start', () => {
    assert.equal(under('components[0].model'), '{"name": "arm", "a.b": {"rpm": 1}}');
    assert.equal(under('somewhere.else'), '{');
    assert.equal(under(''), '{');
    assert.deepEqual(findProblemRange('{oops', 'a'), { offset: 0, length: 1 });
  });
});
