import type { ReadingCell, ReadingRow } from '../../../src/shared/data/readings';
import { element } from '../../ui/elements';
import type { PlacedColumn } from './gridColumns';

export interface RowLook {
  readonly place: number;
  readonly row: ReadingRow | undefined;
  /** Those that are drawn, and the place of the first of them. */
  readonly columns: readonly PlacedColumn[];
  readonly firstColumn: number;
  readonly timeText: (at: number) => string;
  readonly loading: string;
}

export function cellId(place: number, column: number): string {
  return `reading-${place}-${column}`;
}

/** A row of the table; a row that is not read yet says so in its first cell. */
export function drawRow(look: RowLook): HTMLElement {
  const { place, row, columns, firstColumn } = look;
  const made = element('div', {
    ...{ role: 'row', class: 'reading-row', 'aria-rowindex': String(place + 2) },
    'data-place': String(place),
  });
  const cells = new Map(row?.cells.map((cell) => [cell.column, cell]));
  columns.forEach((column, index) => {
    const number = firstColumn + index;
    const cell = drawCell(column, cells.get(column.id), look);
    cell.id = cellId(place, number);
    cell.setAttribute('aria-colindex', String(number + 1));
    cell.dataset.column = String(number);
    made.append(cell);
  });
  if (!row) made.classList.add('unread');
  return made;
}

function drawCell(
  column: PlacedColumn,
  cell: ReadingCell | undefined,
  { row, timeText, loading }: RowLook,
): HTMLElement {
  const made = element('div', { role: 'gridcell', class: 'reading-cell' });
  made.style.left = `${column.left}px`;
  made.style.width = `${column.width}px`;
  if (column.id === 'time') made.textContent = row ? timeText(row.at) : loading;
  else if (cell) {
    made.classList.add(`kind-${cell.kind}`);
    // Directions of texts end at the cell.
    made.dir = 'auto';
    made.textContent = cell.kind === 'text' && cell.text === '' ? '""' : cell.text;
    if (cell.text === '') made.classList.add('empty-text');
  }
  return made;
}
