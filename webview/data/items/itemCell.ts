import type { ItemView } from '../../../src/shared/data/items';
import type { GridCell } from '../../ui/virtualGrid';

/** State, other than its content, that affects how an item is drawn. */
export interface CellState {
  readonly selected: boolean;
  /** True for the active cell. */
  readonly active: boolean;
}

/** A cell that shows an item in a grid or list and is reused for other items. */
export interface ItemCell extends GridCell {
  /** Shows the item at an index; `item` is undefined while it is loading. */
  show(index: number, item: ItemView | undefined, state: CellState): void;
}

/** Sets an attribute only if its value differs, because browsers process every assignment. */
export function setAttribute(target: Element, name: string, value: string): void {
  if (target.getAttribute(name) !== value) target.setAttribute(name, value);
}

export function setText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

/** Applies the state that all kinds of cells have in common. */
export function markCell(
  target: HTMLElement,
  index: number,
  item: ItemView | undefined,
  { selected, active }: CellState,
): void {
  setAttribute(target, 'id', cellId(index));
  setAttribute(target, 'data-place', String(index));
  setAttribute(target, 'aria-selected', String(selected));
  setAttribute(target, 'aria-busy', String(item === undefined));
  target.classList.toggle('active', active);
}

/** Returns the ID by which a list refers to its active cell. */
export function cellId(index: number): string {
  return `item-${index}`;
}
