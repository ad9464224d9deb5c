import assert from 'node:assert/strict';
import type { Node } from 'jsonc-parser';
import { atOnce } from '../../../../src/base/slices';
import { parseStrictTree } from '../../../../src/core/documents/jsonText';
import { parseJsonInSteps } from '../../../../src/core/documents/parseInSteps';

/** Returns a tree without its parents, which must match the structure. */
function outline(node: Node | undefined, parent?: Node): unknown {
  if (!node) return undefined;
  assert.equal(node.parent, parent);
  const { type, offset, length, colonOffset, children } = node;
  const value: unknown = node.value;
  const inner = children?.map((child) => outline(child, node));
  return { type, offset, length, colonOffset, value, children: inner };
}

describe('parseJsonInSteps', () => {
  it('returns the same tree as the library for valid texts', () => {
    for (const text of [
      '{}',
      '[]',
      ' {"a": [1, -2.5e3, true, false, null, "x\\u00e9\\"", {"b": {}}, []], "a": {"c": [[]]}}\n',
      '"text"',
      '12',
      '{"__proto__": 1}',
    ]) {
      const parsed = atOnce(parseJsonInSteps(text));
      assert.ok(parsed, text);
      assert.deepEqual(parsed.value, JSON.parse(text), text);
      assert.deepEqual(outline(parsed.tree), outline(parseStrictTree(text)), text);
    }
  });

  it('rejects the same texts as the library', () => {
    for (const text of [
      '',
      '{',
      '[1,]',
      '{"a":1,}',
      '{"a" 1}',
      '{"a":}',
      '{a:1}',
      '{"a":1} 2',
      '[1 2]',
      '[1}',
      '{]',
      '{"a"]',
      '[,1]',
      '01',
      '1.',
      '-',
      '// c\n1',
      '/* c */ 1',
      '"a\nb"',
      '"\\x"',
      '"open',
      '\uFEFF{}',
      'nul',
      '{"a":1,,"b":2}',
      ']',
      ':',
    ]) {
      assert.equal(atOnce(parseJsonInSteps(text)), undefined, text);
      assert.equal(parseStrictTree(text), undefined, text);
    }
  });

  it('parses a large text in many steps', () => {
    const text = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ index })));
    let steps = 0;
    for (const work = parseJsonInSteps(text); work.next().done !== true;) steps += 1;
    assert.ok(steps > 100, String(steps));
  });
});
