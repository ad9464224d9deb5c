import { formatCell, getCellKind, type ValueLabels } from '../../../../core/data/tables/formatCell';
import { type DataValue, isDataObject } from '../../../../core/data/tables/dataValue';
import { toDisplayText } from '../../../../core/model/displayText';
import type { ResultNode } from '../../../../shared/query/results';

/** Maximum number of children in one response. */
const MAX_NODES = 500;

/**
 * Returns one level of a row or cell: the contents of the value at a path. Returns an empty list if
 * no value exists at the path.
 */
export function nodesAt(
  whole: DataValue | undefined,
  path: readonly string[],
  { start, end }: { readonly start: number; readonly end: number },
  labels: ValueLabels,
): { readonly nodes: readonly ResultNode[]; readonly size: number } {
  let value = whole;
  for (const key of path) value = findChild(value, key);
  const keys = listKeys(value);
  const shown = keys.slice(start, Math.min(end, start + MAX_NODES));
  return {
    size: keys.length,
    nodes: shown.flatMap((key) => {
      const child = findChild(value, key);
      return child === undefined ? [] : toResultNode(key, child, labels);
    }),
  };
}

function toResultNode(key: string, value: DataValue, labels: ValueLabels): ResultNode {
  const name = toDisplayText(key);
  if (Array.isArray(value)) return { key: name, kind: 'list', text: '', size: value.length };
  if (isDataObject(value)) {
    return { key: name, kind: 'object', text: '', size: Object.keys(value).length };
  }
  return { key: name, kind: getCellKind(value), text: formatCell(value, labels) };
}

function listKeys(value: DataValue | undefined): readonly string[] {
  if (Array.isArray(value)) return value.map((_, index) => String(index));
  return isDataObject(value) ? Object.keys(value) : [];
}

function findChild(value: DataValue | undefined, key: string): DataValue | undefined {
  if (isList(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined;
  if (!isDataObject(value)) return undefined;
  // Pages receive only sanitized names, so a name from a page must also be compared with the
  // sanitized names.
  const name = Object.hasOwn(value, key)
    ? key
    : Object.keys(value).find((one) => toDisplayText(one) === key);
  return name === undefined ? undefined : value[name];
}

function isList(value: DataValue | undefined): value is readonly DataValue[] {
  return Array.isArray(value);
}
