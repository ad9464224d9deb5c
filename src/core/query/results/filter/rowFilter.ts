import type { Buffer } from 'node:buffer';
import { BsonPath } from '../bson/bsonPath';
import type { ResultTable } from '../resultTable';
import { type CellCondition, type CellTest, cellTest } from './cellTest';

/** Filter for a column. */
export interface ColumnFilter extends CellCondition {
  /** Index of the column. */
  readonly column: number;
}

/** Tests rows against all of several filters. */
export class RowFilter {
  private readonly tests: readonly { readonly path: BsonPath; readonly test: CellTest }[];

  constructor({ columns }: ResultTable, filters: readonly ColumnFilter[]) {
    this.tests = filters.map((filter) => ({
      path: new BsonPath(columns[filter.column]?.path ?? []),
      test: cellTest(filter),
    }));
  }

  /** Returns true if a row matches. @param start its offset in the bytes */
  isMet(bytes: Buffer, start: number): boolean {
    return this.tests.every(({ path, test }) => test(path.valueIn(bytes, start)));
  }
}
