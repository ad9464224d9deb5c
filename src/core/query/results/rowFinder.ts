import { plainText } from '../../data/tables/cellText';
import type { BsonElements } from './bson/bsonElements';
import { BSON } from './bson/bsonTypes';
import { valueOf } from './bson/bsonValue';
import type { ResultTable } from './resultTable';
import type { RowStretch } from './rowStore';

/** What numbers are written with, also those that are none. */
const OF_NUMBERS = /^[\d.einfaty+-]+$/;
const NUMBERS: readonly number[] = [BSON.double, BSON.int32, BSON.int64, BSON.decimal];

/** Finds rows that have a text in some cell, whatever the case of its letters. */
export class RowFinder {
  private readonly text: string;
  private readonly mayBeNumber: boolean;

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
    this.table.readRow(stretch, index, (_, element) => {
      isFound ||= this.isInElement(element);
    });
    return isFound;
  }

  private isInElement(element: BsonElements): boolean {
    if (!this.mayBeNumber && NUMBERS.includes(element.type)) return false;
    return plainText(valueOf(element)).toLowerCase().includes(this.text);
  }
}
