import { type DataPath, isBranch, nameOfPath } from './dataPath';
import type { DataObject, DataValue } from './dataValue';

/** More columns than people look at; a payload whose keys are data, such as times, would have no end of them. */
export const MOST_COLUMNS = 2_000;

/** Objects within objects get columns down to here; what is deeper is in one, as JSON. */
export const DEEPEST_COLUMN = 16;

/** A column of what is within rows. */
export interface DataColumn {
  readonly path: DataPath;
  readonly name: string;
}

/** Takes the value that a row has in a column, by the column's index. */
export type TakeCell = (column: number, value: DataValue) => void;

interface Branch {
  /** The index of the column, unless all rows so far had an object here. */
  column: number | undefined;
  readonly below: Map<string, Branch>;
}

/**
 * The columns that nested rows come to, in order of first appearance: those of rows that are read later are
 * added at the end, and none ever moves.
 */
export class DataColumns {
  private readonly columns: DataColumn[] = [];
  private readonly top: Branch = newBranch();

  /** @param root what the names of all columns begin with; may be empty */
  constructor(
    private readonly root: string,
    private readonly most = MOST_COLUMNS,
  ) {}

  get list(): readonly DataColumn[] {
    return this.columns;
  }

  /**
   * Tells the values of a row by their columns, which are added when they are new.
   * @returns what found no column because there are too many, by its name.
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
      if (isBranch(value) && path.length < DEEPEST_COLUMN - 1) {
        const below = known ?? newBranch();
        const further = this.readBranch(value, below, [...path, key], take);
        // A branch is kept once something in it has a column: what finds none is not to grow without end.
        if (!known && (below.below.size > 0 || below.column !== undefined))
          branch.below.set(key, below);
        if (further) left = new Map([...(left ?? []), ...further]);
        continue;
      }
      const column = known?.column ?? this.add(branch, key, path);
      if (column === undefined)
        (left ??= new Map()).set(nameOfPath([...path, key], this.root), value);
      else take(column, value);
    }
    return left;
  }

  private add(branch: Branch, key: string, path: DataPath): number | undefined {
    if (this.columns.length >= this.most) return undefined;
    const own = [...path, key];
    const column = this.columns.push({ path: own, name: nameOfPath(own, this.root) }) - 1;
    const below = branch.below.get(key);
    if (below) below.column = column;
    else branch.below.set(key, { ...newBranch(), column });
    return column;
  }
}

/** The value of a row in a column; undefined when it has none there. */
export function valueAt(data: DataObject, path: DataPath): DataValue | undefined {
  let value: DataValue | undefined = data;
  for (const key of path) {
    if (!isBranch(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return isBranch(value) && path.length < DEEPEST_COLUMN ? undefined : value;
}

function newBranch(): Branch {
  return { column: undefined, below: new Map() };
}
