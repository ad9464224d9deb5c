import assert from 'node:assert/strict';
import { applyMergePatch } from '../../../../src/core/documents/jsonEdits';

/** The examples in Appendix A of RFC 7396, row by row. */
const RFC_EXAMPLES: readonly (readonly [target: string, patch: string, result: string])[] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
];

function same(actual: string, expected: string): void {
  assert.deepEqual(JSON.parse(actual), JSON.parse(expected));
}

describe('applyMergePatch', () => {
  for (const [target, patch, result] of RFC_EXAMPLES) {
    it(`returns ${result} for ${target} and ${patch}, like the RFC`, () => {
      same(applyMergePatch(target, patch), result);
    });
  }

  it('changes only what differs', () => {
    const target = `{
  "components": [ { "name": "arm",  "serial": 9007199254740993 } ],

  "network" : {"bind_address": ":8080"},
  "z": 1.50
}
`;
    assert.equal(
      applyMergePatch(target, '{"network": {"bind_address": ":9090"}}'),
      target.replace(':8080', ':9090'),
    );
  });

  it('preserves the digits of the patch', () => {
    assert.equal(
      applyMergePatch('{"a":1}', '{"a":9007199254740993,"b":1.50}'),
      '{"a":9007199254740993,"b":1.50}',
    );
  });

  it('returns the same text if nothing changes', () => {
    const target = '{ "a": { "b" : [1,\n2], "c": 3 } }';
    assert.equal(applyMergePatch(target, '{"a":{"b":[1, 2],"d":null},"x":null}'), target);
  });

  it('inserts members in the existing format', () => {
    const target = '{\n    "a": 1,\n    "log": {}\n}';
    assert.equal(
      applyMergePatch(target, '{\n  "log": {\n    "level": "debug"\n  },\n  "b": [\n    1\n  ]\n}'),
      '{\n    "a": 1,\n    "log": {\n        "level": "debug"\n    },\n    "b": [\n      1\n    ]\n}',
    );
    assert.equal(applyMergePatch('{"a":1}', '{"b": 2}'), '{"a":1,"b":2}');
    assert.equal(applyMergePatch('{"a":1}', '{\n  "b": [\n    2\n  ]\n}'), '{"a":1,"b":[2]}');
    assert.equal(applyMergePatch('{"a": 1, "c": 3}', '{"b":2}'), '{"a": 1, "c": 3, "b": 2}');
    assert.equal(
      applyMergePatch('{\n  "a": {"b": 1}\n}', '{"a":{"c":2}}'),
      '{\n  "a": {"b": 1, "c": 2}\n}',
    );
    assert.equal(applyMergePatch('{}', '{"a":1}'), '{\n  "a": 1\n}');
    assert.equal(applyMergePatch('', '{"a":1}'), '{\n  "a": 1\n}');
    assert.equal(
      applyMergePatch('{\r\n  "a": 1\r\n}', '{"b":2}'),
      '{\r\n  "a": 1,\r\n  "b": 2\r\n}',
    );
  });

  it('removes commas and lines with a member', () => {
    const target = '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}';
    assert.equal(applyMergePatch(target, '{"a":null}'), '{\n  "b": 2,\n  "c": 3\n}');
    assert.equal(applyMergePatch(target, '{"b":null}'), '{\n  "a": 1,\n  "c": 3\n}');
    assert.equal(applyMergePatch(target, '{"c":null,"b":null}'), '{\n  "a": 1\n}');
    assert.equal(applyMergePatch(target, '{"a":null,"b":null,"c":null}'), '{}');
  });

  it('preserves a null inside a list and removes those of new objects', () => {
    same(applyMergePatch('{}', '{"a":[null,{"b":null}]}'), '{"a":[null,{"b":null}]}');
    same(
      applyMergePatch('{"a":1}', '{"a":{"b":{"c":null,"d":1},"e":null}}'),
      '{"a":{"b":{"d":1}}}',
    );
  });

  it('handles repeated keys, unusual keys, and escapes', () => {
    same(applyMergePatch('{"a":1,"a":{"b":2}}', '{"a":{"c":3}}'), '{"a":{"b":2,"c":3}}');
    same(applyMergePatch('{"a":1,"a":2}', '{"a":null}'), '{}');
    same(
      applyMergePatch('{"":1}', '{"":{"é\\n":2},"__proto__":{"x":1}}'),
      '{"":{"é\\n":2},"__proto__":{"x":1}}',
    );
    same(applyMergePatch('{"caf\\u00e9":1}', '{"café":2}'), '{"café":2}');
  });

  it('rejects text that is not strict JSON', () => {
    assert.throws(() => applyMergePatch('{"a":1,}', '{}'), SyntaxError);
    assert.throws(() => applyMergePatch('{}', '{/* no */}'), SyntaxError);
  });
});
