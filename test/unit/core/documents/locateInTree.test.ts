import assert from 'node:assert/strict';
import { getLocation } from 'jsonc-parser';
import { atOnce } from '../../../../src/base/slices';
import { parseJsonInSteps } from '../../../../src/core/documents/jsonTree';
import { locateInTree } from '../../../../src/core/documents/locateInTree';

/** Returns the location in a comparable form. */
function describeLocation({
  path,
  previousNode,
  isAtPropertyKey,
}: ReturnType<typeof locateInTree>) {
  const { type, offset, length } = previousNode ?? {};
  // In a list, the library sometimes still returns true from an earlier object.
  const isKey = isAtPropertyKey && typeof path.at(-1) === 'string';
  return { path, isKey, node: [type, offset, length, previousNode?.value] };
}

describe('locateInTree', () => {
  const text =
    '{"components": [{"name": "arm", "model": "fake", "depends_on": ["board", "eye"]}, {}, 12],' +
    ' "fragments": ["one", {"id": "two", "variables": {"speed": 1}}, ""], "empty": [], "none": {}}';

  it('returns the same location as the library inside a valid text', () => {
    const { tree } = atOnce(parseJsonInSteps(text));
    assert.ok(tree);
    for (let offset = 1; offset < text.length; offset += 1) {
      assert.deepEqual(
        describeLocation(locateInTree(text, tree, offset)),
        describeLocation(getLocation(text, offset)),
        `${text.slice(0, offset)}|${text.slice(offset)}`,
      );
    }
  });

  it('returns the same location as the library at the end of a truncated text', () => {
    for (let end = 1; end < text.length; end += 1) {
      const typed = text.slice(0, end);
      const { tree } = atOnce(parseJsonInSteps(typed));
      assert.ok(tree);
      assert.deepEqual(
        describeLocation(locateInTree(typed, tree, end)),
        describeLocation(getLocation(typed, end)),
        typed,
      );
    }
  });
});
