import { type DataObject, type DataValue, isDataObject } from './dataValue';

/**
 * Maximum number of columns, more than users look at. Without a limit, payloads whose keys are
 * data, such as times, would create unlimited columns.
 */
export const MAX_COLUMNS = 2_000;

/**
 * Maximum depth of nested objects that get their own columns. Deeper values share a column, as
 * JSON.
 */
export const MAX_COLUMN_DEPTH = 16;

/** Column for the values at one path in rows of nested objects. */
export interface DataColumn {
  readonly path: DataPath;
  readonly name: string;
}

/** Receives the value in a row's cell, with the index of its column. */
export type TakeCell = (column: number, value: DataValue) => void;

interface Branch {
  /** Index of the column; undefined if all rows so far have an object at this path. */
  column: number | undefined;
  readonly below: Map<string, Branch>;
}

/**
 * Columns of rows with nested objects, in order of first appearance. Later rows can add columns at
 * the end, but never move existing ones.
 */
export class DataColumns {
  private readonly columns: DataColumn[] = [];
  private readonly top: Branch = newBranch();

  /** @param root prefix for the names of all columns; can be empty */
  constructor(
    private readonly root: string,
    private readonly maxColumns = MAX_COLUMNS,
  ) {}

  get list(): readonly DataColumn[] {
    return this.columns;
  }

  /**
   * Reports a row's values by column, and adds new columns.
   * @returns the values that have no column because of the column limit, by name.
   */
  read(data: DataObject, take: TakeCell): ReadonlyMap<string, DataValue> | undefined {
    return this.readBranch(data, this.top, [], take);
  }

  private readBranch(
    data: DataObject,
    branch: Branch,
    path: DataPath,
    take: TakeCell,
  ): Map<string, DataValue> | undefined {
    let left: Map<string, DataValue> | undefined;
    for (const key of Object.keys(data)) {
      const value = data[key];
      if (value === undefined) continue;
      const known = branch.below.get(key);
      if (isBranch(value) && path.length < MAX_COLUMN_DEPTH - 1) {
        const below = known ?? newBranch();
        const overflow = this.readBranch(value, below, [...path, key], take);
        // A branch is stored only if it contains a column, so that branches without columns don't
        // accumulate.
        if (!known && (below.below.size > 0 || below.column !== undefined)) {
          branch.below.set(key, below);
        }
        if (overflow) left = new Map([...(left ?? []), ...overflow]);
        continue;
      }
      const column = known?.column ?? this.add(branch, key, path);
      if (column === undefined) {
        (left ??= new Map()).set(formatDataPath([...path, key], this.root), value);
      } else {
        take(column, value);
      }
    }
    return left;
  }

  private add(branch: Branch, key: string, path: DataPath): number | undefined {
    if (this.columns.length >= this.maxColumns) return undefined;
    const own = [...path, key];
    const column = this.columns.push({ path: own, name: formatDataPath(own, this.root) }) - 1;
    const below = branch.below.get(key);
    if (below) below.column = column;
    else branch.below.set(key, { ...newBranch(), column });
    return column;
  }
}

/** Returns a row's value in a column; undefined if the row has no such value. */
export function valueAt(data: DataObject, path: DataPath): DataValue | undefined {
  let value: DataValue | undefined = data;
  for (const key of path) {
    if (!isBranch(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return isBranch(value) && path.length < MAX_COLUMN_DEPTH ? undefined : value;
}

function newBranch(): Branch {
  return { column: undefined, below: new Map() };
}

/** Keys from the root to a value. */
type DataPath = readonly string[];

/** Characters that would be parsed as a separator, a quotation mark, or a line break. */
const AMBIGUOUS = /[.[\]"\p{Cc}]|^$/u;

/**
 * Formats a path as a name, such as `data.readings.temperature.celsius`, which also works in
 * queries. Quotes ambiguous keys, so that different paths have different names.
 * @param root name of the root of the path; empty to start the name with the first key of the path
 */
function formatDataPath(path: DataPath, root: string): string {
  return path.reduce((name, key) => {
    if (AMBIGUOUS.test(key)) return `${name}[${JSON.stringify(key)}]`;
    return name === '' ? key : `${name}.${key}`;
  }, root);
}

/** Returns true if a value's members get their own columns, instead of one column for the value. */
function isBranch(value: DataValue | undefined): value is DataObject {
  if (!isDataObject(value)) return false;
  for (const key in value) if (Object.hasOwn(value, key)) return true;
  return false;
}
