import type { Buffer } from 'node:buffer';
import {
  type DataColumn,
  DataColumns,
  MAX_COLUMN_DEPTH,
  MAX_COLUMNS,
} from '../../data/tables/dataColumns';
import type { DataValue } from '../../data/tables/dataValue';
import { BSON, BsonElements, EXTENDED, isBranchElement } from './bson/bsonElements';
import { documentAt, getExtendedType, hasName, readDecimal } from './bson/bsonValue';
import { PreviousElement } from './bson/previousElement';

/**
 * Receives an element in a row and the index of its column. The element is reused after the call.
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
 * Finds the columns for rows without decoding their values. Caches the columns that `DataColumns`
 * assigns to a row by the bytes of their names, and looks them up for similar rows.
 */
export class RowColumns {
  private readonly columns: DataColumns;
  private readonly top = new Level();
  private learned = 0;

  constructor(private readonly maxColumns = MAX_COLUMNS) {
    this.columns = new DataColumns('', maxColumns);
  }

  get list(): readonly DataColumn[] {
    return this.columns.list;
  }

  /**
   * Reports a row's elements by column, and adds new columns.
   * @returns true if some elements have no column because of the column limit.
   * @throws RangeError if the row isn't valid BSON.
   */
  read(bytes: Buffer, start: number, take: TakeElement): boolean {
    const isMissing = readLevel(bytes, start, this.top, 0, take);
    const before = this.list.length;
    if (!isMissing || before >= this.maxColumns) return isMissing;
    this.columns.read(documentAt(bytes, start), () => undefined);
    this.learn();
    return readLevel(bytes, start, this.top, 0, (column, element) => {
      if (column >= before) take(column, element);
    });
  }

  /** Returns a row's values that have no column because of the column limit, by name. */
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

/**
 * Maximum number of distinct strings to count, one more than the maximum number of series in a
 * chart.
 */
const MAX_TEXTS = 13;
/** Maximum length, in bytes, of a string that can be a series name. */
const MAX_NAME_BYTES = 200;

/** Statistics for a column's values in all received rows. */
export interface ColumnProfile {
  /** Number of values by type, where the type is one of `BSON` or `EXTENDED`. */
  readonly types: ReadonlyMap<number, number>;
  /** True if some integers can't be represented by a double. */
  readonly hasLargeNumbers: boolean;
  /**
   * Maximum number of digits before and after the decimal point in all decimals; infinite if any
   * decimal is NaN or infinite.
   */
  readonly decimalDigits: { readonly before: number; readonly after: number };
  readonly numbers: number;
  readonly times: number;
  /**
   * Number of distinct strings, up to a limit that is one more than the maximum number of series in
   * a chart.
   */
  readonly texts: number;
}

const NUMBERS: readonly number[] = [BSON.double, BSON.int32, BSON.int64, BSON.decimal];
const TIMES: readonly number[] = [BSON.date, EXTENDED.micros, EXTENDED.nanos, EXTENDED.day];

/** Collects statistics for one column. */
export class ProfiledValues implements ColumnProfile {
  readonly types = new Map<number, number>();
  hasLargeNumbers = false;
  decimalDigits = { before: 0, after: 0 };
  private readonly names = new Set<string>();
  private readonly previousName = new PreviousElement();

  get numbers(): number {
    return this.count(NUMBERS);
  }

  get times(): number {
    return this.count(TIMES);
  }

  get texts(): number {
    return this.names.size;
  }

  add(element: BsonElements): void {
    const { bytes, valueStart, valueEnd } = element;
    const type = getExtendedType(element);
    this.types.set(type, (this.types.get(type) ?? 0) + 1);
    if (type === BSON.int64 && !Number.isSafeInteger(Number(bytes.readBigInt64LE(valueStart)))) {
      this.hasLargeNumbers = true;
    }
    if (type === BSON.decimal) this.addDecimal(element);
    if (type !== BSON.string || this.names.size >= MAX_TEXTS) return;
    if (this.previousName.isRepeated(element)) return;
    const end = Math.min(valueEnd - 1, valueStart + 4 + MAX_NAME_BYTES);
    this.names.add(bytes.toString('utf8', valueStart + 4, end));
  }

  private count(types: readonly number[]): number {
    return types.reduce((sum, type) => sum + (this.types.get(type) ?? 0), 0);
  }

  private addDecimal({ bytes, valueStart }: BsonElements): void {
    const { digits, exponent = Infinity } = readDecimal(bytes, valueStart);
    const { before, after } = this.decimalDigits;
    this.decimalDigits = {
      before: Math.max(before, digits.length + exponent),
      after: Math.max(after, -exponent),
    };
  }
}

const TYPE_NAMES: readonly (readonly [name: string, types: readonly number[]])[] = [
  ['integer', [BSON.int32, BSON.int64]],
  ['decimal', [BSON.decimal, BSON.int32, BSON.int64]],
  ['double', [BSON.double]],
  ['number', NUMBERS],
  ['boolean', [BSON.boolean]],
  ['date', [EXTENDED.day]],
  ['timestamp', [BSON.date, EXTENDED.micros, EXTENDED.nanos]],
  ['text', [BSON.string, BSON.objectId, EXTENDED.uuid]],
  ['json', [BSON.object, BSON.array]],
  ['binary', [BSON.binary]],
];
const NOTHING: readonly number[] = [BSON.null, BSON.undefined];

/**
 * Returns the name of the type that all values of a column have in common; empty if there are no
 * values yet.
 */
export function describeColumnType({ types }: ColumnProfile): string {
  const own = [...types.keys()].filter((type) => !NOTHING.includes(type));
  if (own.length === 0) return '';
  const match = TYPE_NAMES.find(([, fitting]) => own.every((type) => fitting.includes(type)));
  return match?.[0] ?? 'mixed';
}
