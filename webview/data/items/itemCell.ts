import type { ItemView } from '../../../src/shared/data/items';
import type { GridCell } from '../../ui/virtualGrid';

/** How an item is drawn besides what it is. */
export interface CellState {
  readonly selected: boolean;
  /** The keyboard is there. */
  readonly active: boolean;
}

/** An item in a grid or list; the same one shows one item after another. */
export interface ItemCell extends GridCell {
  /** Nothing while the item is being read. */
  show(place: number, item: ItemView | undefined, state: CellState): void;
}

/** Touches an attribute only when it is another: browsers work on each that is set. */
export function setAttribute(target: Element, name: string, value: string): void {
  if (target.getAttribute(name) !== value) target.setAttribute(name, value);
}

export function setText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

/** Shows what is the same of all cells. */
export function markCell(
  target: HTMLElement,
  place: number,
  item: ItemView | undefined,
  { selected, active }: CellState,
): void {
  setAttribute(target, 'id', cellId(place));
  setAttribute(target, 'data-place', String(place));
  setAttribute(target, 'aria-selected', String(selected));
  setAttribute(target, 'aria-busy', String(item === undefined));
  target.classList.toggle('active', active);
}

/** The id by which a list names the cell that the keyboard is at. */
export function cellId(place: number): string {
  return `item-${place}`;
}
