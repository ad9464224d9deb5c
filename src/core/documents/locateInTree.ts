import { getLocation, type Location } from 'jsonc-parser';
import type { JsonNode } from './jsonTree';

/**
 * Returns the location of an offset in a text, as `getLocation` of the library does. The library
 * reads the entire text before the offset. With the syntax tree, it only has to read the value
 * before the offset.
 */
export function locateInTree(
  text: string,
  root: JsonNode,
  offset: number,
): Pick<Location, 'path' | 'previousNode' | 'isAtPropertyKey'> {
  if (!isInside(root, offset)) return { path: [], isAtPropertyKey: false };
  let container = root;
  let before: JsonNode | undefined;
  let index = 0;
  for (let node: JsonNode | undefined = root; node;) {
    [container, before, index] = [node, undefined, 0];
    for (const inner of node.inner()) {
      if (inner.offset >= offset) break;
      if (before) index += 1;
      before = inner;
    }
    const value: JsonNode | undefined = before?.type === 'property' ? before.children?.[1] : before;
    node = value && isInside(value, offset) ? value : undefined;
  }
  // A list or an object that starts with the last value before the offset.
  const start = before?.offset ?? container.offset + 1;
  const bracket = container.type === 'array' ? '[' : '{';
  const { path, previousNode, isAtPropertyKey } = getLocation(
    bracket + text.slice(start),
    offset - start + 1,
  );
  const [step, ...rest] = path;
  if (step === undefined) return { path: container.path, isAtPropertyKey };
  const first = typeof step === 'number' ? step + index : step;
  return {
    path: [...container.path, first, ...rest],
    ...(previousNode && {
      previousNode: { ...previousNode, offset: previousNode.offset + start - 1 },
    }),
    isAtPropertyKey,
  };
}

/** Returns true if an offset is after the opening bracket of a value and not after the closing one. */
function isInside({ type, offset, length, isUnclosed }: JsonNode, at: number): boolean {
  if (type !== 'object' && type !== 'array') return false;
  const end = offset + length;
  return at > offset && (isUnclosed ? at <= end : at < end);
}
