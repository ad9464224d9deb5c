import assert from 'node:assert/strict';
import { applyEdits, findNodeAtLocation, type JSONPath, modify, parseTree } from 'jsonc-parser';

const formattingOptions = { insertSpaces: true, tabSize: 2 };

/** Returns a JSON text with one value replaced, added, or, if undefined, removed. */
export function mutateText(text: string, path: JSONPath, value: unknown): string {
  return applyEdits(text, modify(text, path, value, { formattingOptions }));
}

/** Returns a JSON text with one key renamed in the object at a path. */
export function renameKey(text: string, path: JSONPath, key: string, to: string): string {
  const tree = parseTree(text);
  const [keyNode] = (tree && findNodeAtLocation(tree, [...path, key]))?.parent?.children ?? [];
  assert.ok(keyNode, key);
  const { offset, length } = keyNode;
  return text.slice(0, offset) + JSON.stringify(to) + text.slice(offset + length);
}
