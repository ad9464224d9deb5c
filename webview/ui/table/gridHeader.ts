import type { GridStrings } from '../../../src/shared/tableStrings';
import { element } from '../elements';
import { fillPlaceholders } from '../fillPlaceholders';
import type { PlacedColumn } from './gridColumns';
import type { SortDirection } from './tableRow';

export interface HeaderOptions {
  /** Begins the ids of what is in the table. */
  readonly id: string;
  readonly strings: GridStrings;
  readonly directionOf: (column: string) => SortDirection | undefined;
  readonly isFiltered?: ((column: string) => boolean) | undefined;
  /** Lets rows be filtered by a column; absent where they cannot be. */
  readonly filterBy?: ((column: number) => void) | undefined;
  readonly pressed: (column: number) => void;
  readonly resized: (id: string, width: number) => void;
  /** A column was dragged to the place of another one; absent where columns stay. */
  readonly moved?: ((id: string, target: string) => void) | undefined;
}

/** The type of what is dragged; its data is the ID of a column. */
const DRAGGED_COLUMN = 'application/x-fleetwright-column';

export interface HeaderLook {
  readonly columns: readonly PlacedColumn[];
  readonly firstColumn: number;
  /** How far the rows are scrolled to the side. */
  readonly scrolled: number;
  /** Another number whenever columns are others, or look different. */
  readonly version: number;
}

/** The id of the keyboard's cell. */
export function cellId(table: string, place: number, column: number): string {
  return `${table}-${place}-${column}`;
}

/** The row of the columns' names, which stays above the rows and moves to the side with them. */
export class GridHeader {
  readonly element: HTMLElement;
  private readonly row = element('div', {
    ...{ role: 'row', class: 'data-header-row', 'aria-rowindex': '1' },
  });
  private first = 0;
  private shown: HeaderLook | undefined;

  constructor(private readonly options: HeaderOptions) {
    const id = `${options.id}-headers`;
    this.element = element('div', { role: 'rowgroup', class: 'data-header', id }, this.row);
  }

  draw(look: HeaderLook): void {
    const { shown } = this;
    const { columns, firstColumn, version } = look;
    this.shown = look;
    this.row.style.transform = `translateX(${-look.scrolled}px)`;
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

  /** The header of a column, by its number, as long as it is drawn. */
  cellAt(number: number): HTMLElement | undefined {
    const cell = this.row.children[number - this.first];
    return cell instanceof HTMLElement ? cell : undefined;
  }

  private cell(column: PlacedColumn, number: number): HTMLElement {
    const { strings, directionOf, isFiltered, pressed } = this.options;
    const { name, type = '' } = column;
    const direction = directionOf(column.id) ?? 'none';
    const filtered = isFiltered?.(column.id) ? strings.filtered : undefined;
    const made = element(
      'div',
      {
        ...{ role: 'columnheader', class: 'data-cell header-cell' },
        ...{ 'aria-colindex': String(number + 1), 'aria-sort': direction },
        title: [
          type === '' ? name : `${name}: ${type}`,
          fillPlaceholders(strings.sortHint, name),
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

  private makeMovable(made: HTMLElement, { id }: PlacedColumn): void {
    const { moved, id: table } = this.options;
    if (!moved) return;
    // Only within the same table: others have columns with the same IDs.
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

  /** For the pointer; the keyboard has a key for it. */
  private filterMark(name: string, number: number, filtered?: string): HTMLElement | undefined {
    const { strings, filterBy } = this.options;
    if (!filterBy) return undefined;
    const hint = fillPlaceholders(strings.filterHint ?? '', name);
    const made = element('span', { class: 'filter-mark', title: filtered ?? hint });
    if (filtered !== undefined) {
      made.classList.add('is-filtered');
      made.append(element('span', { class: 'visually-hidden' }, filtered));
    } else made.setAttribute('aria-hidden', 'true');
    made.addEventListener('click', (event) => {
      event.stopPropagation();
      filterBy(number);
    });
    return made;
  }

  private handle({ id, width }: PlacedColumn): HTMLElement {
    const made = element('span', {
      ...{ class: 'resize-handle', 'aria-hidden': 'true', title: this.options.strings.resize },
    });
    made.addEventListener('click', (event) => event.stopPropagation());
    made.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      const { clientX } = event;
      // The header is redrawn while it is dragged: the window hears of the pointer all the same.
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
