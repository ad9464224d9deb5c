import * as l10n from '@vscode/l10n';
import { element } from '../elements';
import type { PositionedColumn } from './gridColumns';
import type { SortDirection } from './tableRow';

export interface HeaderOptions {
  /** Prefix for the IDs of the table's elements. */
  readonly id: string;
  readonly getDirection: (column: string) => SortDirection | undefined;
  readonly isFiltered?: ((column: string) => boolean) | undefined;
  /** Prompts the user to filter rows by a column; absent if the table doesn't support filters. */
  readonly filterBy?: ((column: number) => void) | undefined;
  readonly pressed: (column: number) => void;
  readonly resized: (id: string, width: number) => void;
  /**
   * Called when the user drags a column to another column's position; absent if columns can't be
   * moved.
   */
  readonly moved?: ((id: string, target: string) => void) | undefined;
}

/** MIME type of a dragged column; the drag data is the column's ID. */
const DRAGGED_COLUMN = 'application/x-fleetwright-column';

export interface HeaderState {
  readonly columns: readonly PositionedColumn[];
  readonly firstColumn: number;
  /** Horizontal scroll position of the rows. */
  readonly scrolled: number;
  /** Changes whenever the columns or their appearance change. */
  readonly version: number;
}

/**
 * Returns the element ID of the cell at a row and column index, used to refer to the active cell.
 */
export function cellId(table: string, rowIndex: number, column: number): string {
  return `${table}-${rowIndex}-${column}`;
}

/** The row of column headers, which stays above the rows and scrolls horizontally with them. */
export class GridHeader {
  readonly element: HTMLElement;
  private readonly row = element('div', {
    role: 'row',
    class: 'data-header-row',
    'aria-rowindex': '1',
  });
  private first = 0;
  private shown: HeaderState | undefined;

  constructor(private readonly options: HeaderOptions) {
    const id = `${options.id}-headers`;
    this.element = element('div', { role: 'rowgroup', class: 'data-header', id }, this.row);
  }

  draw(state: HeaderState): void {
    const { shown } = this;
    const { columns, firstColumn, version } = state;
    this.shown = state;
    this.row.style.transform = `translateX(${-state.scrolled}px)`;
    const isSame = shown?.version === version;
    const isPlaced = isSame && shown.firstColumn === firstColumn;
    if (isPlaced && shown.columns.length === columns.length) return;
    const there = columns.map((_, index) =>
      isSame ? this.cellAt(firstColumn + index) : undefined,
    );
    this.first = firstColumn;
    this.row.replaceChildren(
      ...columns.map((column, index) => there[index] ?? this.cell(column, firstColumn + index)),
    );
  }

  /** Returns a column's header by its index if the header is currently drawn. */
  cellAt(number: number): HTMLElement | undefined {
    const cell = this.row.children[number - this.first];
    return cell instanceof HTMLElement ? cell : undefined;
  }

  private cell(column: PositionedColumn, number: number): HTMLElement {
    const { getDirection, isFiltered, pressed } = this.options;
    const { name, type = '' } = column;
    const direction = getDirection(column.id) ?? 'none';
    const filtered = isFiltered?.(column.id) ? l10n.t('Filtered') : undefined;
    const made = element(
      'div',
      {
        role: 'columnheader',
        class: 'data-cell header-cell',
        'aria-colindex': String(number + 1),
        'aria-sort': direction,
        title: [
          type === '' ? name : `${name}: ${type}`,
          l10n.t('Sort by {0}', name),
          filtered ?? '',
        ]
          .join('\n')
          .trim(),
      },
      element('span', { class: 'header-name' }, name),
      element('span', { class: 'sort-mark', 'aria-hidden': 'true' }, MARKS[direction]),
      this.filterMark(name, number, filtered),
    );
    made.style.left = `${column.left}px`;
    made.style.width = `${column.width}px`;
    made.addEventListener('click', () => pressed(number));
    this.makeMovable(made, column);
    made.append(this.handle(column));
    return made;
  }

  private makeMovable(made: HTMLElement, { id }: PositionedColumn): void {
    const { moved, id: table } = this.options;
    if (!moved) return;
    // The table's ID in the type limits dragging to this table, because other tables have columns
    // with the same IDs.
    const type = `${DRAGGED_COLUMN}.${table}`.toLowerCase();
    made.draggable = true;
    made.addEventListener('dragstart', ({ dataTransfer }) => dataTransfer?.setData(type, id));
    made.addEventListener('dragover', (event) => {
      if (event.dataTransfer?.types.includes(type)) event.preventDefault();
    });
    made.addEventListener('drop', (event) => {
      const dragged = event.dataTransfer?.getData(type) ?? '';
      if (dragged === '') return;
      event.preventDefault();
      moved(dragged, id);
    });
  }

  /** Creates the filter icon, which is only for the pointer; keyboard users press a key instead. */
  private filterMark(name: string, number: number, filtered?: string): HTMLElement | undefined {
    const { filterBy } = this.options;
    if (!filterBy) return undefined;
    const hint = l10n.t('Filter by {0}', name);
    const made = element('span', { class: 'filter-mark', title: filtered ?? hint });
    if (filtered !== undefined) {
      made.classList.add('is-filtered');
      made.append(element('span', { class: 'visually-hidden' }, filtered));
    } else {
      made.setAttribute('aria-hidden', 'true');
    }
    made.addEventListener('click', (event) => {
      event.stopPropagation();
      filterBy(number);
    });
    return made;
  }

  private handle({ id, width }: PositionedColumn): HTMLElement {
    const made = element('span', {
      class: 'resize-handle',
      'aria-hidden': 'true',
      title: l10n.t('Drag to change the width'),
    });
    made.addEventListener('click', (event) => event.stopPropagation());
    made.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      const { clientX } = event;
      // The header can be redrawn during a drag, so the pointer events are handled on the window.
      const stopping = new AbortController();
      const { signal } = stopping;
      const moved = ({ clientX: now }: PointerEvent): void =>
        this.options.resized(id, width + now - clientX);
      window.addEventListener('pointermove', moved, { signal });
      window.addEventListener('pointerup', () => stopping.abort(), { signal });
      window.addEventListener('pointercancel', () => stopping.abort(), { signal });
    });
    return made;
  }
}

const MARKS = { ascending: '▲', descending: '▼', none: '' } as const;
