import assert from 'node:assert/strict';
import { findJsonProblems } from '../../../../src/core/documents/jsonProblems';

/** Code and the text under each squiggle. */
function problems(text: string, carrier: 'text' | 'struct' = 'text'): string[] {
  return findJsonProblems(text, carrier).map(
    ({ code, offset, length }) => `${code}: ${text.slice(offset, offset + length)}`,
  );
}

describe('findJsonProblems', () => {
  it('has nothing against strict JSON', () => {
    assert.deepEqual(problems('{"a": [1, -2.5e3, "x", null, {}]}', 'struct'), []);
  });

  it('finds mistakes where they are', () => {
    assert.deepEqual(problems('{"a" 1}'), ['notJson: 1']);
    assert.deepEqual(problems('{"a": 1} x'), ['notJson: x']);
    assert.deepEqual(problems('{"a": "\t"}'), ['notJson: "\t"']);
    assert.deepEqual(problems('{"a": 1'), ['notJson: 1']);
  });

  it('wants neither comments nor trailing commas', () => {
    assert.deepEqual(problems('{"a": 1, // one\n"b": 2}'), ['comment: // one']);
    assert.deepEqual(problems('{"a": [1,\n],\n}'), ['trailingComma: ,', 'trailingComma: ,']);
  });

  it('tells the first of many mistakes, and does not take long for it', () => {
    const startedAt = performance.now();
    const found = problems(`{"a": 1, ${','.repeat(500_000)}}`);
    assert.ok(found.length > 0 && found.length <= 100, String(found.length));
    assert.ok(performance.now() - startedAt < 5_000);
  });

  it('wants an object', () => {
    assert.deepEqual(problems('[1]'), ['notAnObject: [1]']);
    assert.deepEqual(problems('null'), ['notAnObject: null']);
    assert.equal(problems('').length, 1);
  });

  it('rejects inexact numbers only where a Struct would change them', () => {
    const text = '{"a": 9007199254740993, "b": 9007199254740992, "c": {"a": 0.1}}';
    assert.deepEqual(problems(text, 'struct'), ['numberNotKept: 9007199254740993']);
    assert.deepEqual(problems(text, 'text'), []);
  });

  for (const carrier of ['text', 'struct'] as const) {
    it(`rejects repeated keys and infinite numbers at their position (${carrier})`, () => {
      const text = '{"a": 1, "b": {"a": -1e999}, "a": 2}';
      assert.deepEqual(problems(text, carrier), ['numberOutOfRange: -1e999', 'duplicateKey: "a"']);
    });
  }

  it('names a stray byte order mark', () => {
    assert.deepEqual(problems('\uFEFF{"a": 1}'), ['byteOrderMark: \uFEFF']);
    assert.deepEqual(problems('{"a":\uFEFF 1}'), ['byteOrderMark: \uFEFF']);
  });
});
