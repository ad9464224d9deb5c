import { Buffer } from 'node:buffer';
import type { DataColumn } from '../../data/tables/dataColumns';
import type { DataValue } from '../../data/tables/dataValue';
import { type ColumnProfile, ProfiledValues, RowColumns, type TakeElement } from './rowColumns';
import { type RowChunk, RowStore, type SpoolFactory } from './rowStore';

/** Rows in a result and their columns. Grows while rows arrive. */
export class ResultTable {
  readonly store: RowStore;
  private readonly rowColumns = new RowColumns();
  private readonly profiles: ProfiledValues[] = [];
  private isOverflowing = false;

  constructor(spools: SpoolFactory) {
    this.store = new RowStore(spools);
  }

  /** Columns in order of first appearance. */
  get columns(): readonly DataColumn[] {
    return this.rowColumns.list;
  }

  /** True if some values have no column because of the column limit. */
  get hasOverflow(): boolean {
    return this.isOverflowing;
  }

  /** Returns a column's statistics. @param column index of the column */
  profile(column: number): ColumnProfile {
    return this.profiles[column] ?? new ProfiledValues();
  }

  /**
   * Adds rows. @throws RangeError if a row isn't valid BSON; FleetError if the rows can't be saved.
   */
  async add(rows: readonly Uint8Array[]): Promise<void> {
    const bytes = joined(rows);
    let start = 0;
    for (const { length } of rows) {
      if (this.rowColumns.read(bytes, start, this.profileElement)) this.isOverflowing = true;
      start += length;
    }
    await this.store.append(
      bytes,
      rows.map(({ length }) => length),
    );
  }

  /** Reports a row's values by column. */
  readRow({ bytes, starts }: RowChunk, index: number, take: TakeElement): void {
    this.rowColumns.read(bytes, starts[index] ?? 0, take);
  }

  /** Returns a row's values that have no column because of the column limit, by name. */
  getOverflowValues({ bytes, starts }: RowChunk, index: number): ReadonlyMap<string, DataValue> {
    return this.rowColumns.readOverflow(bytes, starts[index] ?? 0) ?? new Map();
  }

  dispose(): void {
    this.store.dispose();
  }

  private readonly profileElement: TakeElement = (column, element) =>
    (this.profiles[column] ??= new ProfiledValues()).add(element);
}

/** Concatenates rows into one buffer. Usually, the rows are already in the same buffer. */
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
