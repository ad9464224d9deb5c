import type { Buffer } from 'node:buffer';
import { BsonPath } from '../bson/bsonPath';
import type { ResultTable } from '../resultTable';
import { type CellCondition, type CellTest, cellTest } from './cellTest';

/** What the rows are to have in a column. */
export interface ColumnFilter extends CellCondition {
  /** Its index. */
  readonly column: number;
}

/** Tells which rows are as all of some filters want them. */
export class RowFilter {
  private readonly tests: readonly { readonly path: BsonPath; readonly test: CellTest }[];

  constructor({ columns }: ResultTable, filters: readonly ColumnFilter[]) {
    this.tests = filters.map((filter) => ({
      path: new BsonPath(columns[filter.column]?.path ?? []),
      test: cellTest(filter),
    }));
  }

  /** Whether a row is. @param start where it begins in the bytes */
  isMet(bytes: Buffer, start: number): boolean {
    return this.tests.every(({ path, test }) => test(path.valueIn(bytes, start)));
  }
}
