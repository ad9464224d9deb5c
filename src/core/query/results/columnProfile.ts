import { BSON } from './bson/bsonTypes';
import type { BsonElements } from './bson/bsonElements';
import { isUuid } from './bson/bsonValue';

/** More lines than a chart draws: further texts are not counted. */
const MOST_TEXTS = 13;
/** Longer texts name no lines. */
const LONGEST_NAME_BYTES = 200;

/** What the values of a column are, among all rows that came. */
export interface ColumnProfile {
  /** How many of each type of BSON. Ids in bytes count as those of objects: both are shown as texts. */
  readonly types: ReadonlyMap<number, number>;
  /** Whether there are whole numbers that no double holds. */
  readonly hasLargeNumbers: boolean;
  readonly numbers: number;
  readonly times: number;
  /** Different texts, counted to one more than a chart draws lines. */
  readonly texts: number;
}

const NUMBERS: readonly number[] = [BSON.double, BSON.int32, BSON.int64, BSON.decimal];

/** Counts what the values of one column are. */
export class ProfiledValues implements ColumnProfile {
  readonly types = new Map<number, number>();
  hasLargeNumbers = false;
  private readonly names = new Set<string>();

  get numbers(): number {
    return NUMBERS.reduce((sum, type) => sum + (this.types.get(type) ?? 0), 0);
  }

  get times(): number {
    return this.types.get(BSON.date) ?? 0;
  }

  get texts(): number {
    return this.names.size;
  }

  add(element: BsonElements): void {
    const { bytes, valueStart, valueEnd } = element;
    const type = isUuid(element) ? BSON.objectId : element.type;
    this.types.set(type, (this.types.get(type) ?? 0) + 1);
    if (type === BSON.int64 && !Number.isSafeInteger(Number(bytes.readBigInt64LE(valueStart)))) {
      this.hasLargeNumbers = true;
    }
    if (type !== BSON.string || this.names.size >= MOST_TEXTS) return;
    const end = Math.min(valueEnd - 1, valueStart + 4 + LONGEST_NAME_BYTES);
    this.names.add(bytes.toString('utf8', valueStart + 4, end));
  }
}
