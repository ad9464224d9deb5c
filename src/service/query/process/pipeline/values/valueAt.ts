import { isDocument, type Document } from './document';

/** The value at a path, through embedded documents alone; undefined when there is none. */
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

/** The document with another value at a path; undefined takes the field away. */
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

/** All values at a path, also those in the elements of arrays on its way. */
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
