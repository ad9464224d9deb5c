import { BSON, EXTENDED } from './bson/bsonTypes';
import type { BsonElements } from './bson/bsonElements';
import { getExtendedType } from './bson/bsonValue';
import { readDecimal } from './bson/formatDecimal';

/**
 * Maximum number of distinct texts to count, one more than the maximum number of series in a chart.
 */
const MAX_TEXTS = 13;
/** Maximum length of a text that can be the name of a series. */
const MAX_NAME_BYTES = 200;

/** Statistics of a column's values in all received rows. */
export interface ColumnProfile {
  /** Number of values by type, which is one of `BSON` or `EXTENDED`. */
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
   * Number of distinct texts, up to a limit that is one more than the maximum number of series in a
   * chart.
   */
  readonly texts: number;
}

const NUMBERS: readonly number[] = [BSON.double, BSON.int32, BSON.int64, BSON.decimal];
const TIMES: readonly number[] = [BSON.date, EXTENDED.micros, EXTENDED.nanos, EXTENDED.day];

/** Collects the statistics of one column. */
export class ProfiledValues implements ColumnProfile {
  readonly types = new Map<number, number>();
  hasLargeNumbers = false;
  decimalDigits = { before: 0, after: 0 };
  private readonly names = new Set<string>();

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
