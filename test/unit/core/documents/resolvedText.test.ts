import assert from 'node:assert/strict';
import {
  originAt,
  parseConfigText,
  findPathRange,
} from '../../../../src/core/documents/resolvedText';
import { resolveText } from '../../../support/resolveText';

describe('resolveValueInSteps', () => {
  const lookup = (id: string) =>
    id === 'a' ? { components: [{ name: 'eye' }], network: { x: 1 } } : undefined;

  it('formats the result, and preserves digits', () => {
    const resolved = resolveText('{"big":12345678901234567890,"fragments":["a"]}', lookup);
    assert.equal(
      resolved?.text,
      `{
  "big": 12345678901234567890,
  "components": [
    {
      "name": "eye"
    }
  ],
  "network": {
    "x": 1
  }
}
`,
    );
    assert.deepEqual(resolved.problems, []);
  });

  it('reports the source of each path', () => {
    const { text = '', origins = [] } = resolveText('{"own":1,"fragments":["a"]}', lookup) ?? {};
    const at = (word: string) => originAt(text, origins, text.indexOf(word))?.fragments;
    assert.deepEqual(at('"eye"'), ['a']);
    assert.deepEqual(at('"network"'), ['a']);
    assert.deepEqual(at('"x"'), ['a']);
    assert.equal(at('"own"'), undefined);
    assert.equal(at('"components"'), undefined);
  });

  it('treats an empty text as an empty config, and rejects anything but JSON', () => {
    assert.equal(resolveText(' \n', lookup)?.text, '{}\n');
    for (const text of ['{', '{"a": 1,}', '// x\n{}', '['.repeat(2_000) + ']'.repeat(2_000)]) {
      assert.equal(parseConfigText(text), undefined);
      assert.equal(resolveText(text, lookup), undefined);
    }
  });

  it('finds the position of a path, or of its innermost existing part', () => {
    const text = '{"fragments": ["x", {"id": "y"}]}';
    const at = (...path: (string | number)[]): string => {
      const { offset, length } = findPathRange(text, path);
      return text.slice(offset, offset + length);
    };
    assert.equal(at('fragments', 0), '"x"');
    assert.equal(at('fragments', 1, 'variables', 'v'), '{"id": "y"}');
    assert.equal(at('fragments', 1, 'id'), '"id"');
    assert.equal(at('gone'), '{');
    assert.equal(at(), '{');
  });
});
