import type { Node } from 'jsonc-parser';
import type { ManifestPath, TextSpan } from './manifestFinding';

/** Field in an object, with the nodes of its name and value. */
export interface FieldNode {
  readonly name: string;
  readonly key: Node;
  readonly value: Node;
}

/**
 * Returns the fields in an object that already have a value, in order, including repeated fields.
 */
export function getFields(object: Node): readonly FieldNode[] {
  return (object.children ?? []).flatMap(({ children }): FieldNode[] => {
    const [key, value] = children ?? [];
    return key && value ? [{ name: String(key.value), key, value }] : [];
  });
}

/**
 * Finds the value at a path and the node of its name. If a field is repeated, returns the last one,
 * like the programs that read manifests.
 */
export function findField(
  root: Node,
  path: ManifestPath,
): { readonly key: Node | undefined; readonly value: Node } | undefined {
  let found: { key: Node | undefined; value: Node } = { key: undefined, value: root };
  for (const step of path) {
    const next = findChild(found.value, step);
    if (!next) return undefined;
    found = next;
  }
  return found;
}

/**
 * Returns the range of the value at a path. If the value doesn't exist, returns the start of the
 * innermost existing value on the path.
 */
export function findSpan(root: Node | undefined, path: ManifestPath, asKey: boolean): TextSpan {
  const found = root && findField(root, path);
  if (found) {
    const { offset, length } = (asKey ? found.key : undefined) ?? found.value;
    return { offset, length: path.length === 0 ? 1 : length };
  }
  for (let length = path.length - 1; root && length >= 0; length -= 1) {
    const around = findField(root, path.slice(0, length));
    // Use the name of the object for a missing field, because the name identifies the object better
    // than its bracket does.
    if (around) {
      return { offset: (around.key ?? around.value).offset, length: around.key?.length ?? 1 };
    }
  }
  return { offset: 0, length: 1 };
}

function findChild(
  parent: Node,
  step: string | number,
): { key: Node | undefined; value: Node } | undefined {
  if (typeof step === 'string') {
    if (parent.type !== 'object') return undefined;
    // Don't call `getFields`, because this code runs for each finding, and malicious objects can
    // have 100,000 fields.
    const property = parent.children?.findLast(({ children: [name, field] = [] }) => {
      return name && field && String(name.value) === step;
    });
    const [key, value] = property?.children ?? [];
    return value && { key, value };
  }
  const value = parent.type === 'array' ? parent.children?.[step] : undefined;
  return value && { key: undefined, value };
}
