import type { LogRow } from '../../src/shared/logs';
import { drawPlaceholder, drawRow, type RowStyle } from './logRow';

/** State, other than its content, that affects how a row is drawn. */
export interface RowState {
  /** One-based number of the row among all rows. */
  readonly index: number;
  readonly selected: boolean;
  readonly active: boolean;
  /** Timestamp on the day of the row if the row is the first of its day; otherwise, undefined. */
  readonly day: number | undefined;
  readonly details: HTMLElement | undefined;
}

interface DrawnRow {
  readonly row: LogRow;
  readonly element: HTMLElement;
  readonly details: HTMLElement | undefined;
  readonly day: number | undefined;
}

/** The elements of the drawn rows. An element is reused until its row must look different. */
export class DrawnRows {
  private drawn = new Map<number, DrawnRow>();
  private used = new Map<number, DrawnRow>();
  private readonly placeholders: HTMLElement[] = [];
  private placeholdersUsed = 0;

  constructor(private readonly style: () => RowStyle) {}

  /** Starts a drawing pass. Rows that aren't requested before the next call are removed. */
  begin(): void {
    this.drawn = this.used;
    this.used = new Map();
    this.placeholdersUsed = 0;
  }

  /** Discards all rows, so that the next drawing recreates them. */
  reset(): void {
    this.used.clear();
    this.drawn.clear();
  }

  takePlaceholder(): HTMLElement {
    const made = (this.placeholders[this.placeholdersUsed] ??= drawPlaceholder());
    this.placeholdersUsed += 1;
    return made;
  }

  draw(row: LogRow, state: RowState): HTMLElement {
    const { element } = this.reuseRow(row, state) ?? this.make(row, state);
    setAttribute(element, 'aria-rowindex', String(state.index));
    setAttribute(element, 'aria-selected', String(state.selected));
    element.classList.toggle('active', state.active);
    return element;
  }

  private reuseRow(row: LogRow, { details, day }: RowState): DrawnRow | undefined {
    const before = this.drawn.get(row.key);
    if (before?.details !== details || before?.day !== day) return undefined;
    if (before === undefined || !rendersSame(before.row, row)) return undefined;
    this.used.set(row.key, before);
    return before;
  }

  private make(row: LogRow, { details, day }: RowState): DrawnRow {
    const element = drawRow(row, this.style(), { details, day });
    const made = { row, element, details, day };
    this.used.set(row.key, made);
    return made;
  }
}

/**
 * Returns true if two rows look the same. Lines never change, but their filter matches do, and so
 * do gaps.
 */
function rendersSame(one: LogRow, other: LogRow): boolean {
  if (one === other) return true;
  if (one.kind === 'gap' || other.kind === 'gap') {
    return JSON.stringify(one) === JSON.stringify(other);
  }
  return one.text === other.text && one.found.join() === other.found.join();
}

function setAttribute(target: HTMLElement, name: string, value: string): void {
  if (target.getAttribute(name) !== value) target.setAttribute(name, value);
}
