import type { Buffer } from 'node:buffer';
import {
  type DataColumn,
  DataColumns,
  DEEPEST_COLUMN,
  MOST_COLUMNS,
} from '../../data/tables/dataColumns';
import type { DataValue } from '../../data/tables/dataValue';
import { BsonElements, isBranchElement } from './bson/bsonElements';
import { hasName } from './bson/bsonPath';
import { documentAt } from './bson/bsonValue';

/** Takes an element of a row that stands in a column. It is another one after the call. */
export type TakeElement = (column: number, element: BsonElements) => void;

/** What is known of a name in rows: it has a column, names below it, or both. */
interface Known {
  /** The bytes of the name. */
  readonly name: Uint8Array;
  column: number | undefined;
  below: Level | undefined;
}

/** The names of one level, in the order in which rows mostly have them. */
class Level {
  readonly inOrder: Known[] = [];
  private readonly byName = new Map<string, number>();

  /** The index of an element's name, -1 when it is not known. @param expected where it mostly is */
  find(element: BsonElements, expected: number): number {
    const likely = this.inOrder[expected];
    if (likely && hasName(element, likely.name)) return expected;
    return this.byName.get(element.name) ?? -1;
  }

  /** @returns what is known of a name, which is added when it is new. */
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
 * The columns that rows come to, found without making values of the rows: what `DataColumns` makes of a row
 * is remembered by the bytes of its names, and looked up for all others like it.
 */
export class RowColumns {
  private readonly columns: DataColumns;
  private readonly top = new Level();
  private learned = 0;

  constructor(private readonly most = MOST_COLUMNS) {
    this.columns = new DataColumns('', most);
  }

  get list(): readonly DataColumn[] {
    return this.columns.list;
  }

  /**
   * Tells the elements of a row by their columns, which are added when they are new.
   * @returns whether some have no column because there are too many.
   * @throws RangeError when the row is no BSON.
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

  /** What of a row found no column because there are too many, by its name. */
  further(bytes: Buffer, start: number): ReadonlyMap<string, DataValue> | undefined {
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

/** @returns whether something was met that has no column. */
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
    if (!isBranchElement(elements) || depth >= DEEPEST_COLUMN - 1) {
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
