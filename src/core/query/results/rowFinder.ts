import { plainText } from '../../data/tables/cellText';
import type { BsonElements } from './bson/bsonElements';
import { BSON } from './bson/bsonTypes';
import { valueOf } from './bson/bsonValue';
import type { ResultTable } from './resultTable';
import type { RowStretch } from './rowStore';

/** What numbers are written with, also those that are none. */
const OF_NUMBERS = /^[\d.einfaty+-]+$/;
const NUMBERS: readonly number[] = [BSON.double, BSON.int32, BSON.int64, BSON.decimal];

/** Longer texts are seldom the same in row after row. */
const LONGEST_REMEMBERED = 64;

/** The bytes of a text, and whether what is looked for is in it. */
interface Looked {
  readonly bytes: Uint8Array;
  readonly isFound: boolean;
}

/** Finds rows that have a text in some cell, whatever the case of its letters. */
export class RowFinder {
  private readonly text: string;
  private readonly mayBeNumber: boolean;
  /** The last text of each column: most rows have the ids and names of the row before. */
  private readonly looked: Looked[] = [];

  constructor(
    private readonly table: ResultTable,
    text: string,
  ) {
    this.text = text.toLowerCase();
    this.mayBeNumber = OF_NUMBERS.test(this.text);
  }

  /** Whether a row of a stretch has the text. */
  isIn(stretch: RowStretch, index: number): boolean {
    let isFound = false;
    this.table.readRow(stretch, index, (column, element) => {
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
    const before = this.looked[column];
    if (before && isSame(before.bytes, bytes, valueStart, valueEnd)) return before.isFound;
    const isFound = this.isInValue(element);
    if (valueEnd - valueStart <= LONGEST_REMEMBERED) {
      // A copy, so that no stretch of rows is kept for the sake of a few bytes.
      const copy = Uint8Array.from(bytes.subarray(valueStart, valueEnd));
      this.looked[column] = { bytes: copy, isFound };
    }
    return isFound;
  }

  private isInValue(element: BsonElements): boolean {
    return plainText(valueOf(element)).toLowerCase().includes(this.text);
  }
}

function isSame(known: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (known.length !== end - start) return false;
  for (let at = 0; at < known.length; at += 1) {
    if (known[at] !== bytes[start + at]) return false;
  }
  return true;
}
