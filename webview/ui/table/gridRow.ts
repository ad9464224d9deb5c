import { element } from '../elements';
import type { PlacedColumn } from './gridColumns';
import type { TableCell, TableRow } from './tableRow';

/** How the cells of a table look. */
export interface CellLook {
  readonly loading: string;
  /** How a time is written; as it came when absent. */
  readonly timeText?: ((text: string) => string) | undefined;
  /** What a kind is called, for those who do not tell it by its look. */
  readonly kindName?: ((kind: string) => string | undefined) | undefined;
}

export interface RowLook extends CellLook {
  /** Begins the ids of what is in the table. */
  readonly id: string;
  readonly place: number;
  readonly row: TableRow | undefined;
  /** Those that are drawn, and the place of the first of them. */
  readonly columns: readonly PlacedColumn[];
  readonly firstColumn: number;
}

export function cellId(table: string, place: number, column: number): string {
  return `${table}-${place}-${column}`;
}

/** A row of the table; a row that is not read yet says so in its first cell. */
export function drawRow(look: RowLook): HTMLElement {
  const { id, place, row, columns, firstColumn } = look;
  const made = element('div', {
    ...{ role: 'row', class: 'data-row', 'aria-rowindex': String(place + 2) },
    'data-place': String(place),
  });
  columns.forEach((column, index) => {
    const number = firstColumn + index;
    const cell = drawCell(row?.get(column.id), look);
    cell.style.left = `${column.left}px`;
    cell.style.width = `${column.width}px`;
    cell.id = cellId(id, place, number);
    cell.setAttribute('aria-colindex', String(number + 1));
    cell.dataset.column = String(number);
    if (!row && index === 0) cell.textContent = look.loading;
    made.append(cell);
  });
  if (!row) made.classList.add('unread');
  return made;
}

function drawCell(cell: TableCell | undefined, { timeText, kindName }: CellLook): HTMLElement {
  const made = element('div', { role: 'gridcell', class: 'data-cell' });
  if (!cell) return made;
  const { kind, text } = cell;
  made.classList.add(`kind-${kind}`);
  const name = kindName?.(kind);
  if (name !== undefined) made.title = name;
  if (kind === 'time' && timeText) made.textContent = timeText(text);
  else {
    // Directions of texts end at the cell.
    made.dir = 'auto';
    made.textContent = kind === 'text' && text === '' ? '""' : text;
    if (text === '') made.classList.add('empty-text');
  }
  return made;
}
