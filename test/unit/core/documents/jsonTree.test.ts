import assert from 'node:assert/strict';
import { findNodeAtOffset } from 'jsonc-parser';
import { atOnce } from '../../../../src/base/slices';
import { parseStrictTree } from '../../../../src/core/documents/jsonText';
import { parseJsonInSteps } from '../../../../src/core/documents/jsonTree';
import type { SyntaxNode } from '../../../../src/core/fragments/configValue';
import { toConfigValue } from '../../../../src/core/fragments/configValue';

/** Returns a tree without its parents, which must match the structure. */
function outline(node: SyntaxNode | undefined, parent?: SyntaxNode): unknown {
  if (!node) return undefined;
  assert.deepEqual([node.parent?.type, node.parent?.offset], [parent?.type, parent?.offset]);
  const { type, offset, length, children } = node;
  const value: unknown = node.value;
  const inner = children?.map((child) => outline(child, node));
  return { type, offset, length, value, children: inner };
}

/** Returns the values in the tree of a text with errors. */
function readValues(text: string): unknown {
  const { tree } = atOnce(parseJsonInSteps(text));
  return tree && toConfigValue(tree, text);
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
      assert.equal(atOnce(parseJsonInSteps(text)).value, undefined, text);
      assert.equal(parseStrictTree(text), undefined, text);
    }
  });

  it('returns the values that are complete in a text with errors', () => {
    for (const [text, expected] of [
      ['', undefined],
      ['// Nothing', undefined],
      ['{', {}],
      ['{"a": [1, 2', { a: [1, 2] }],
      ['{"a": {"b": 1, "c"', { a: { b: 1 } }],
      ['{"a": 1 "b": 2}', { a: 1, b: 2 }],
      ['{"a" "b": 2}', { b: 2 }],
      ['{"a": , "b": 2}', { b: 2 }],
      ['{"a": [1, , 2,], "b": 3,}', { a: [1, 2], b: 3 }],
      ['{"a": [{"b": 1}, "c": 2}', { a: [{ b: 1 }, 'c', 2] }],
      ['{"a": [{"b": 1, "c": 2], "d": 3}', { a: [{ b: 1, c: 2 }], d: 3 }],
      ['{"a": tru, "b": 1} {"c": 2}', { b: 1 }],
      ['{"a": "x\n, "b": 2}', { a: 'x', b: 2 }],
      ['{"a": "x\\n', { a: 'x\n' }],
      ['{{"a": 1}, "b": 2}', { '': { a: 1 }, b: 2 }],
      ['{1, "b": 2}', { b: 2 }],
      ['}], {"a": 1}', { a: 1 }],
      ['// c\n{"a": /* d */ 1}', { a: 1 }],
    ] as const) {
      assert.deepEqual(readValues(text), expected, text);
      assert.equal(atOnce(parseJsonInSteps(text)).value, undefined, text);
    }
  });

  it('finds the same values at positions as the library', () => {
    const text = ' {"a": [10, {"b": "text"}], "c": null} ';
    const { tree } = atOnce(parseJsonInSteps(text));
    const library = parseStrictTree(text);
    assert.ok(tree && library);
    for (let offset = 0; offset <= text.length; offset += 1) {
      const expected = findNodeAtOffset(library, offset, true);
      const found = tree.findAt(offset);
      assert.deepEqual(
        [found?.type, found?.offset],
        [expected?.type, expected?.offset],
        text.slice(0, offset),
      );
    }
    assert.equal(tree.find(['a', 1, 'b'])?.value, 'text');
    assert.equal(tree.find(['a', 2]), undefined);
    assert.equal(tree.find(['a', 'b']), undefined);
    assert.equal(tree.find(['c', 'd']), undefined);
  });

  it('finds members whose keys are escaped or repeated', () => {
    const { tree } = atOnce(parseJsonInSteps('{"a": 1, "b\\u0041": 2, "a": 3, "c\\\\d": 4}'));
    const read = (key: string) => tree?.member(key)?.[1].value;
    assert.deepEqual(['a', 'bA', 'b\\u0041', 'c\\d', 'd'].map(read), [
      3,
      2,
      undefined,
      4,
      undefined,
    ]);
  });

  it('parses a large text in many steps', () => {
    const text = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ index })));
    let steps = 0;
    for (const work = parseJsonInSteps(text); work.next().done !== true;) steps += 1;
    assert.ok(steps > 100, String(steps));
  });

  it('parses closing brackets that nothing opened without searching all open values for each', () => {
    // With a search, this would take minutes.
    const { tree } = atOnce(parseJsonInSteps('[}'.repeat(500_000)));
    assert.ok(tree?.isUnclosed);
    assert.ok(tree.isDeeperThan(499_998));
  });
});
