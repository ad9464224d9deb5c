import { type DataObject, type DataValue, isDataObject } from './dataValue';

/** Keys from the root to a value. */
export type DataPath = readonly string[];

/** Characters that would be parsed as a separator, a quotation mark, or a line break. */
const AMBIGUOUS = /[.[\]"\p{Cc}]|^$/u;

/**
 * Formats a path as a name, such as `data.readings.temperature.celsius`, which also works in
 * queries. Quotes ambiguous keys, so that different paths have different names.
 * @param root name of the root of the path; empty if the first key of the path is itself a name
 */
export function formatDataPath(path: DataPath, root: string): string {
  return path.reduce((name, key) => {
    if (AMBIGUOUS.test(key)) return `${name}[${JSON.stringify(key)}]`;
    return name === '' ? key : `${name}.${key}`;
  }, root);
}

/**
 * Returns true if the members of a value get their own columns, instead of one column for the
 * value.
 */
export function isBranch(value: DataValue | undefined): value is DataObject {
  if (!isDataObject(value)) return false;
  for (const key in value) if (Object.hasOwn(value, key)) return true;
  return false;
}
