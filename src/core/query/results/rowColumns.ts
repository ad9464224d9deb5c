import type { Buffer } from 'node:buffer';
import {
  type DataColumn,
  DataColumns,
  MAX_COLUMN_DEPTH,
  MAX_COLUMNS,
} from '../../data/tables/dataColumns';
import type { DataValue } from '../../data/tables/dataValue';
import { BsonElements, isBranchElement } from './bson/bsonElements';
import { hasName } from './bson/bsonPath';
import { documentAt } from './bson/bsonValue';

/**
 * Receives an element of a row and the index of its column. The element is reused after the call.
 */
export type TakeElement = (column: number, element: BsonElements) => void;

/** Information about a name in rows, which has a column, nested names, or both. */
interface Known {
  /** Bytes of the name. */
  readonly name: Uint8Array;
  column: number | undefined;
  below: Level | undefined;
}

/** Names on one nesting level, in the order in which most rows contain them. */
class Level {
  readonly inOrder: Known[] = [];
  private readonly byName = new Map<string, number>();

  /**
   * Returns the index of an element's name; -1 if the name is unknown. @param expected most likely
   * index of the name
   */
  find(element: BsonElements, expected: number): number {
    const likely = this.inOrder[expected];
    if (likely && hasName(element, likely.name)) return expected;
    return this.byName.get(element.name) ?? -1;
  }

  /** Adds a name if it is new. @returns the information about the name. */
  learn(name: string): Known {
    const index = this.byName.get(name) ?? this.inOrder.length;
    const known = (this.inOrder[index] ??= {
      name: new TextEncoder().encode(name),
      column: undefined,
      below: undefined,
    });
    this.byName.set(name, index);
    return known;
  }
}

/**
 * Finds the columns of rows without decoding their values. Caches the columns that `DataColumns`
 * assigns to a row by the bytes of their names, and looks them up for similar rows.
 */
export class RowColumns {
  private readonly columns: DataColumns;
  private readonly top = new Level();
  private learned = 0;

  constructor(private readonly most = MAX_COLUMNS) {
    this.columns = new DataColumns('', most);
  }

  get list(): readonly DataColumn[] {
    return this.columns.list;
  }

  /**
   * Reports the elements of a row by column, and adds new columns.
   * @returns true if some elements have no column because of the column limit.
   * @throws RangeError if the row isn't valid BSON.
   */
  read(bytes: Buffer, start: number, take: TakeElement): boolean {
    const isMissing = readLevel(bytes, start, this.top, 0, take);
    const before = this.list.length;
    if (!isMissing || before >= this.most) return isMissing;
    this.columns.read(documentAt(bytes, start), () => undefined);
    this.learn();
    return readLevel(bytes, start, this.top, 0, (column, element) => {
      if (column >= before) take(column, element);
    });
  }

  /** Returns the values of a row that have no column because of the column limit, by name. */
  readOverflow(bytes: Buffer, start: number): ReadonlyMap<string, DataValue> | undefined {
    return this.columns.read(documentAt(bytes, start), () => undefined);
  }

  private learn(): void {
    for (; this.learned < this.list.length; this.learned += 1) {
      const path = this.list[this.learned]?.path ?? [];
      let level = this.top;
      for (const name of path.slice(0, -1)) level = level.learn(name).below ??= new Level();
      level.learn(path.at(-1) ?? '').column = this.learned;
    }
  }
}

/** @returns true if some elements have no column. */
function readLevel(
  bytes: Buffer,
  start: number,
  level: Level,
  depth: number,
  take: TakeElement,
): boolean {
  const elements = new BsonElements(bytes, start);
  let [expected, isMissing] = [0, false];
  while (elements.next()) {
    const index = level.find(elements, expected);
    const known = level.inOrder[index];
    if (known) expected = index + 1;
    if (!isBranchElement(elements) || depth >= MAX_COLUMN_DEPTH - 1) {
      if (known?.column === undefined) isMissing = true;
      else take(known.column, elements);
    } else if (
      !known?.below ||
      readLevel(bytes, elements.valueStart, known.below, depth + 1, take)
    ) {
      isMissing = true;
    }
  }
  return isMissing;
}
