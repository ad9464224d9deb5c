import { findNodeAtLocation } from 'jsonc-parser';
import { parseJsonValue } from './jsonTree';

/** Range in a text, in UTF-16 units. */
export interface TextRange {
  readonly offset: number;
  readonly length: number;
}

/**
 * Returns the range in `text` for a service's error about `field`. Fields look like
 * `components[0].attributes.rpm`, with or without a leading name of a request field. Returns the
 * innermost existing value on the path, or the start of the document if no part of the path exists.
 */
export function findProblemRange(text: string, field: string): TextRange {
  const start = { offset: 0, length: 1 };
  const tree = parseJsonValue(text)?.node;
  if (!tree) return start;
  const path = parseFieldPath(field);
  for (const from of [0, 1]) {
    for (let to = path.length; to > from; to -= 1) {
      const found = findNodeAtLocation(tree, path.slice(from, to));
      if (found) return { offset: found.offset, length: Math.max(1, found.length) };
    }
  }
  return start;
}

/** Parses a path such as `components[0]["a.b"].rpm` into its steps. */
export function parseFieldPath(field: string): (string | number)[] {
  const steps = field.match(/"(?:[^"\\]|\\.)*"|[^.[\]"]+/g) ?? [];
  return steps.map((step) => {
    if (/^\d+$/.test(step)) return Number(step);
    return step.startsWith('"') ? step.slice(1, -1).replace(/\\(["\\])/g, '$1') : step;
  });
}
