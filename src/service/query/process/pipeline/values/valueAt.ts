import { isDocument, type Document } from './document';

/**
 * Returns the value at a path that passes only through embedded documents; undefined if there is no
 * value.
 */
export function valueAt(document: Document, path: readonly string[]): unknown {
  let value: unknown = document;
  for (const name of path) {
    if (!isDocument(value) || !Object.hasOwn(value, name)) {
      return undefined;
    }
    value = value[name];
  }
  return value;
}

/**
 * Returns a copy of the document with a different value at a path. The value undefined removes the
 * field.
 */
export function withValueAt(document: Document, path: readonly string[], value: unknown): Document {
  const [name = '', ...rest] = path;
  if (rest.length > 0) {
    const inner = document[name];
    const changed = withValueAt(isDocument(inner) ? inner : {}, rest, value);
    return { ...document, [name]: changed };
  }
  if (value === undefined) {
    return Object.fromEntries(Object.entries(document).filter(([key]) => key !== name));
  }
  return { ...document, [name]: value };
}

/** Returns all values at a path, including values within elements of arrays along the path. */
export function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  const [name, ...rest] = path;
  if (name === undefined) {
    return [value];
  }
  if (Array.isArray(value)) {
    const element = /^\d+$/u.test(name) ? valuesAt((value as unknown[])[Number(name)], rest) : [];
    return [...element, ...value.filter(isDocument).flatMap((item) => valuesAt(item, path))];
  }
  return isDocument(value) && Object.hasOwn(value, name) ? valuesAt(value[name], rest) : [];
}
