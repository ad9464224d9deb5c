import { type DataObject, type DataValue, isDataObject } from './dataValue';

/** Keys from the top down to a value. */
export type DataPath = readonly string[];

/** What would be read as a step, a quotation or a line of its own. */
const AMBIGUOUS = /[.[\]"\p{Cc}]|^$/u;

/**
 * The name of what is at a path, such as `data.readings.temperature.celsius`, by which queries know it too.
 * Keys that would be taken for several, or for none, are in quotes, so that no two paths share a name.
 * @param root the name of what the path begins in; empty when its first key is a name itself
 */
export function nameOfPath(path: DataPath, root: string): string {
  return path.reduce((name, key) => {
    if (AMBIGUOUS.test(key)) return `${name}[${JSON.stringify(key)}]`;
    return name === '' ? key : `${name}.${key}`;
  }, root);
}

/** Whether a value has columns of its own instead of being in one. */
export function isBranch(value: DataValue | undefined): value is DataObject {
  if (!isDataObject(value)) return false;
  for (const key in value) if (Object.hasOwn(value, key)) return true;
  return false;
}
