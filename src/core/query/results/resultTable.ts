import { Buffer } from 'node:buffer';
import type { DataColumn } from '../../data/tables/dataColumns';
import type { DataValue } from '../../data/tables/dataValue';
import { type ColumnProfile, ProfiledValues } from './columnProfile';
import { RowColumns, type TakeElement } from './rowColumns';
import { type RowStretch, RowStore } from './rowStore';
import type { Spools } from './spool';

/** The rows of a result and the columns that they come to. It grows as rows come. */
export class ResultTable {
  readonly store: RowStore;
  private readonly rowColumns = new RowColumns();
  private readonly profiles: ProfiledValues[] = [];
  private isFurther = false;

  constructor(spools: Spools) {
    this.store = new RowStore(spools);
  }

  /** In order of first appearance. */
  get columns(): readonly DataColumn[] {
    return this.rowColumns.list;
  }

  /** Whether values have no column because there are too many. */
  get hasFurther(): boolean {
    return this.isFurther;
  }

  /** What the values of a column are. @param column its index */
  profile(column: number): ColumnProfile {
    return this.profiles[column] ?? new ProfiledValues();
  }

  /** Adds rows. @throws RangeError when one is no BSON, FleetError when they cannot be kept. */
  async add(rows: readonly Uint8Array[]): Promise<void> {
    const bytes = joined(rows);
    let start = 0;
    for (const { length } of rows) {
      if (this.rowColumns.read(bytes, start, this.profileElement)) this.isFurther = true;
      start += length;
    }
    await this.store.append(
      bytes,
      rows.map(({ length }) => length),
    );
  }

  /** Tells the values of a row by their columns. */
  readRow({ bytes, starts }: RowStretch, index: number, take: TakeElement): void {
    this.rowColumns.read(bytes, starts[index] ?? 0, take);
  }

  /** What of a row found no column because there are too many, by its name. */
  furtherValues({ bytes, starts }: RowStretch, index: number): ReadonlyMap<string, DataValue> {
    return this.rowColumns.further(bytes, starts[index] ?? 0) ?? new Map();
  }

  dispose(): void {
    this.store.dispose();
  }

  private readonly profileElement: TakeElement = (column, element) =>
    (this.profiles[column] ??= new ProfiledValues()).add(element);
}

/** Rows as one stretch of bytes; they mostly are one already. */
function joined(rows: readonly Uint8Array[]): Buffer {
  const [first] = rows;
  if (!first) return Buffer.alloc(0);
  const { buffer, byteOffset } = first;
  let end = byteOffset;
  for (const row of rows) {
    if (row.buffer !== buffer || row.byteOffset !== end) return Buffer.concat(rows);
    end += row.byteLength;
  }
  return Buffer.from(buffer, byteOffset, end - byteOffset);
}
