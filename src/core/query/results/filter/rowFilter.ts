import type { Buffer } from 'node:buffer';
import { BsonPath } from '../bson/bsonPath';
import type { ResultTable } from '../resultTable';
import { type CellCondition, type CellTest, cellTest } from './cellTest';

/** Filter for the values of a column. */
export interface ColumnFilter extends CellCondition {
  /** Index of the column. */
  readonly column: number;
}

/** Tests rows against a list of filters, which must all match. */
export class RowFilter {
  private readonly tests: readonly { readonly path: BsonPath; readonly test: CellTest }[];

  constructor({ columns }: ResultTable, filters: readonly ColumnFilter[]) {
    this.tests = filters.map((filter) => ({
      path: new BsonPath(columns[filter.column]?.path ?? []),
      test: cellTest(filter),
    }));
  }

  /** Returns true if a row matches all filters. @param start offset of the row in the bytes */
  isMet(bytes: Buffer, start: number): boolean {
    return this.tests.every(({ path, test }) => test(path.valueIn(bytes, start)));
  }
}
