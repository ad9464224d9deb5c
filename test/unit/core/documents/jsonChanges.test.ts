import assert from 'node:assert/strict';
import { findJsonChanges } from '../../../../src/core/documents/jsonText';

const changes = (before: string, after: string): string[] | undefined =>
  findJsonChanges(before, after)?.map(
    ({ kind, path, before: from, after: to }) =>
      `${kind} ${path.join('.')}: ${from ?? '-'} > ${to ?? '-'}`,
  );

describe('findJsonChanges', () => {
  it('names members by key and elements by name', () => {
    const before = '{"components": [{"name": "arm", "n": 1, "old": true}, {"name": "cam"}]}';
    const after = '{"components": [{"name": "arm", "n": 2}, {"name": "base"}], "log": []}';
    assert.deepEqual(changes(before, after), [
      'changed components.arm.n: 1 > 2',
      'removed components.arm.old: true > -',
      'added components.base: - > {"name": "base"}',
      'removed components.cam: {"name": "cam"} > -',
      'added log: - > []',
    ]);
  });

  it('detects digits and ignores white space', () => {
    assert.deepEqual(changes('{"a":9007199254740992}', '{ "a": 9007199254740993 }'), [
      'changed a: 9007199254740992 > 9007199254740993',
    ]);
    assert.deepEqual(changes('{"a":[1,2]}', '{ "a": [1, 2] }'), []);
  });

  it('reports a plain list and another type as one change', () => {
    assert.deepEqual(changes('{"a":[1,2],"b":{}}', '{"a":[1,3],"b":[]}'), [
      'changed a: [1,2] > [1,3]',
      'changed b: {} > []',
    ]);
  });

  it('returns nothing for text that is not JSON', () => {
    assert.equal(changes('{', '{}'), undefined);
  });
});
