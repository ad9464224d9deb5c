import { formatPlainValue } from '../../data/tables/formatCell';
import type { BsonElements } from './bson/bsonElements';
import { BSON } from './bson/bsonTypes';
import { readDataValue } from './bson/bsonValue';
import type { ResultTable } from './resultTable';
import type { RowChunk } from './rowStore';

/** Characters that occur in numbers, including NaN and Infinity. */
const OF_NUMBERS = /^[\d.einfaty+-]+$/;
const NUMBERS: readonly number[] = [BSON.double, BSON.int32, BSON.int64, BSON.decimal];

/** Maximum length of cached texts, because longer ones rarely occur in consecutive rows. */
const MAX_CACHED_BYTES = 64;

/** Bytes of a text, and the result of the search in this text. */
interface CachedMatch {
  readonly bytes: Uint8Array;
  readonly isFound: boolean;
}

/** Finds rows that contain a text in any cell, ignoring case. */
export class RowFinder {
  private readonly text: string;
  private readonly mayBeNumber: boolean;
  /**
   * Most recent text in each column, because most rows repeat the IDs and names of the previous
   * row.
   */
  private readonly cachedMatches: CachedMatch[] = [];

  constructor(
    private readonly table: ResultTable,
    text: string,
  ) {
    this.text = text.toLowerCase();
    this.mayBeNumber = OF_NUMBERS.test(this.text);
  }

  /** Returns true if a row in a chunk contains the text. */
  isIn(chunk: RowChunk, index: number): boolean {
    let isFound = false;
    this.table.readRow(chunk, index, (column, element) => {
      isFound ||= this.isInCell(column, element);
    });
    return isFound;
  }

  private isInCell(column: number, element: BsonElements): boolean {
    if (element.type === BSON.string) return this.isInText(column, element);
    if (!this.mayBeNumber && NUMBERS.includes(element.type)) return false;
    return this.isInValue(element);
  }

  private isInText(column: number, element: BsonElements): boolean {
    const { bytes, valueStart, valueEnd } = element;
    const before = this.cachedMatches[column];
    if (before && isSame(before.bytes, bytes, valueStart, valueEnd)) return before.isFound;
    const isFound = this.isInValue(element);
    if (valueEnd - valueStart <= MAX_CACHED_BYTES) {
      // Copies the bytes, because a reference to a few bytes would keep the whole chunk in memory.
      const copy = Uint8Array.from(bytes.subarray(valueStart, valueEnd));
      this.cachedMatches[column] = { bytes: copy, isFound };
    }
    return isFound;
  }

  private isInValue(element: BsonElements): boolean {
    return formatPlainValue(readDataValue(element)).toLowerCase().includes(this.text);
  }
}

function isSame(known: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (known.length !== end - start) return false;
  for (let at = 0; at < known.length; at += 1) {
    if (known[at] !== bytes[start + at]) return false;
  }
  return true;
}
