import type { DataContext } from '../dataContext';
import type { DataGrid } from '../../ui/table/dataGrid';
import type { GridColumns } from '../../ui/table/gridColumns';
import type { ReadingListing } from './readingListing';

interface CopyContext {
  readonly host: DataContext['host'];
  readonly listing: ReadingListing;
  readonly grid: DataGrid;
  readonly columns: GridColumns;
}

/** Copies the cell at the table's cursor or the selected rows. */
export class ReadingCopies {
  constructor(private readonly context: CopyContext) {}

  /** Copies the selected rows or, if no rows are selected, the cell at the cursor. */
  copy(): void {
    if (this.context.grid.selected) this.rows('tsv');
    else this.cell();
  }

  cell(): void {
    const { host, grid, listing } = this.context;
    const { cursor, cursorColumn, isAtHeader } = grid;
    if (!cursorColumn || isAtHeader) return;
    const viewed = { rowIndex: cursor.rowIndex, column: cursorColumn.id };
    host.send('copyReadingCell', listing.toCellTarget(viewed));
  }

  rows(format: 'tsv' | 'json' | 'markdown'): void {
    const { host, grid, listing } = this.context;
    const { cursor, selected } = grid;
    const rows = selected ?? { start: cursor.rowIndex, end: cursor.rowIndex + 1 };
    const columns = this.context.columns.shown.map(({ id }) => id);
    const [start, end] = [Math.max(0, rows.start), Math.min(rows.end, listing.progress.read)];
    host.send('copyReadings', { ...listing.view, start, end, columns, format });
  }
}
