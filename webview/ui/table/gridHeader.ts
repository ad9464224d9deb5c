import { element } from '../elements';
import { fillPlaceholders } from '../fillPlaceholders';
import type { PlacedColumn } from './gridColumns';
import { HEADER } from './gridCursor';
import { cellId } from './gridRow';
import type { SortDirection } from './tableRow';

export interface HeaderOptions {
  /** Begins the ids of what is in the table. */
  readonly id: string;
  readonly sortHint: string;
  readonly resizeHint: string;
  readonly directionOf: (column: string) => SortDirection | undefined;
  readonly pressed: (column: number) => void;
  readonly resized: (id: string, width: number) => void;
}

export interface HeaderLook {
  readonly columns: readonly PlacedColumn[];
  readonly firstColumn: number;
  /** How far the rows are scrolled to the side. */
  readonly scrolled: number;
}

/** The row of the columns' names, which stays above the rows and moves to the side with them. */
export class GridHeader {
  readonly element: HTMLElement;
  private readonly row = element('div', {
    ...{ role: 'row', class: 'data-header-row', 'aria-rowindex': '1' },
  });

  constructor(private readonly options: HeaderOptions) {
    const id = `${options.id}-headers`;
    this.element = element('div', { role: 'rowgroup', class: 'data-header', id }, this.row);
  }

  draw(look: HeaderLook): void {
    this.row.style.transform = `translateX(${-look.scrolled}px)`;
    this.row.replaceChildren(
      ...look.columns.map((column, index) => this.cell(column, look.firstColumn + index)),
    );
  }

  private cell(column: PlacedColumn, number: number): HTMLElement {
    const { id, sortHint, directionOf, pressed } = this.options;
    const direction = directionOf(column.id) ?? 'none';
    const made = element(
      'div',
      {
        ...{ role: 'columnheader', class: 'data-cell header-cell', id: cellId(id, HEADER, number) },
        ...{ 'aria-colindex': String(number + 1), 'aria-sort': direction },
        title: `${column.name}\n${fillPlaceholders(sortHint, column.name)}`,
      },
      element('span', { class: 'header-name' }, column.name),
      element('span', { class: 'sort-mark', 'aria-hidden': 'true' }, MARKS[direction]),
    );
    made.style.left = `${column.left}px`;
    made.style.width = `${column.width}px`;
    made.addEventListener('click', () => pressed(number));
    made.append(this.handle(column));
    return made;
  }

  private handle({ id, width }: PlacedColumn): HTMLElement {
    const made = element('span', {
      ...{ class: 'resize-handle', 'aria-hidden': 'true', title: this.options.resizeHint },
    });
    made.addEventListener('click', (event) => event.stopPropagation());
    made.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      const { clientX } = event;
      // The header is drawn anew while it is dragged: the window hears of the pointer all the same.
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
