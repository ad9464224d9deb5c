import type { ReadingOrder, ReadingSort } from '../../../src/shared/data/readings';
import { element } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/fillPlaceholders';
import type { PlacedColumn } from './gridColumns';
import { cellId } from './gridRow';
import { HEADER } from './gridCursor';

export const HEADER_ID = 'reading-headers';

export interface HeaderOptions {
  readonly sortHint: string;
  readonly resizeHint: string;
  readonly pressed: (column: number) => void;
  readonly resized: (id: string, width: number) => void;
}

export interface HeaderLook {
  readonly columns: readonly PlacedColumn[];
  readonly firstColumn: number;
  readonly order: ReadingOrder;
  readonly sort: ReadingSort | undefined;
  /** How far the rows are scrolled to the side. */
  readonly scrolled: number;
}

/** The row of the columns' names, which stays above the rows and moves to the side with them. */
export class GridHeader {
  readonly element = element('div', { role: 'rowgroup', class: 'reading-header', id: HEADER_ID });
  private readonly row = element('div', {
    ...{ role: 'row', class: 'reading-header-row', 'aria-rowindex': '1' },
  });

  constructor(private readonly options: HeaderOptions) {
    this.element.append(this.row);
  }

  draw(look: HeaderLook): void {
    this.row.style.transform = `translateX(${-look.scrolled}px)`;
    this.row.replaceChildren(
      ...look.columns.map((column, index) => this.cell(column, look.firstColumn + index, look)),
    );
  }

  private cell(column: PlacedColumn, number: number, look: HeaderLook): HTMLElement {
    const direction = directionOf(column.id, look);
    const { sortHint } = this.options;
    const made = element(
      'div',
      {
        ...{ role: 'columnheader', class: 'reading-cell header-cell', id: cellId(HEADER, number) },
        ...{ 'aria-colindex': String(number + 1), 'aria-sort': direction ?? 'none' },
        title: `${column.name}\n${fillPlaceholders(sortHint, column.name)}`,
      },
      element('span', { class: 'header-name' }, column.name),
      element('span', { class: 'sort-mark', 'aria-hidden': 'true' }, MARKS[direction ?? 'none']),
    );
    made.style.left = `${column.left}px`;
    made.style.width = `${column.width}px`;
    made.addEventListener('click', () => this.options.pressed(number));
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

function directionOf(
  id: string,
  { order, sort }: HeaderLook,
): 'ascending' | 'descending' | undefined {
  if (sort) {
    if (sort.column !== id) return undefined;
    return sort.descending ? 'descending' : 'ascending';
  }
  if (id !== 'time') return undefined;
  return order === 'oldestFirst' ? 'ascending' : 'descending';
}
