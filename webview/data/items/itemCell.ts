import * as l10n from '@vscode/l10n';
import type { ItemView } from '../../../src/shared/data/items';
import type { GridCell } from '../../ui/virtualGrid';
import { element, updateAttribute, updateText } from '../../ui/elements';
import { type ItemFormatter, oneLine } from './createItemFormatter';

/** State that affects how an item is drawn, other than the item's content. */
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

/** Applies the state that all kinds of cells have in common. */
export function markCell(
  target: HTMLElement,
  index: number,
  item: ItemView | undefined,
  { selected, active }: CellState,
): void {
  updateAttribute(target, 'id', cellId(index));
  updateAttribute(target, 'data-place', String(index));
  updateAttribute(target, 'aria-selected', String(selected));
  updateAttribute(target, 'aria-busy', String(item === undefined));
  target.classList.toggle('active', active);
}

/** Returns the ID by which a list refers to its active cell. */
export function cellId(index: number): string {
  return `item-${index}`;
}

/** The columns in a list, in order. */
const itemColumns = ['name', 'time', 'origin', 'size', 'tags', 'datasets'] as const;
export type ItemColumn = (typeof itemColumns)[number];

/** Maximum number of names in a cell; more names wouldn't be visible. */
const MAX_NAMES = 20;

/**
 * Creates the column headings for a list, which are hidden from screen readers because the cells
 * announce their content.
 */
export function itemHeader(): HTMLElement {
  const names = itemColumns.map((name) =>
    element('span', { class: `of-${name}` }, getColumnNames()[name]),
  );
  return element(
    'div',
    { class: 'item-row item-header', 'aria-hidden': 'true' },
    element('span'),
    ...names,
  );
}

/** A point cloud or file in a list. */
export class ItemRow implements ItemCell {
  readonly element: HTMLElement;
  private readonly cells: ReadonlyMap<ItemColumn, HTMLElement>;
  private item: ItemView | undefined;

  constructor(private readonly text: ItemFormatter) {
    const check = element('span', { class: 'check', 'aria-hidden': 'true' });
    this.cells = new Map(
      itemColumns.map((name) => [name, element('span', { role: 'gridcell', class: `of-${name}` })]),
    );
    this.element = element(
      'div',
      { role: 'row', class: 'item-row' },
      check,
      ...this.cells.values(),
    );
  }

  show(index: number, item: ItemView | undefined, state: CellState): void {
    markCell(this.element, index, item, state);
    if (this.item === item && item !== undefined) return;
    this.item = item;
    const texts = item ? this.formatColumns(item) : { name: l10n.t('Loading…') };
    for (const [name, cell] of this.cells) updateText(cell, texts[name] ?? '');
  }

  private formatColumns(item: ItemView): Partial<Record<ItemColumn, string>> {
    const { text } = this;
    const names = (list: readonly string[]): string => oneLine(list.slice(0, MAX_NAMES).join(', '));
    return {
      name: oneLine(item.name),
      time: text.time(item.at),
      origin: oneLine(item.origin),
      size: text.size(item.sizeBytes),
      tags: names(item.tags),
      datasets: names(item.datasets),
    };
  }
}

/** Returns the names of the columns. */
function getColumnNames(): Readonly<Record<ItemColumn, string>> {
  return {
    name: l10n.t('Name'),
    time: l10n.t('Time'),
    origin: l10n.t('Captured By'),
    size: l10n.t('Size'),
    tags: l10n.t('Tags'),
    datasets: l10n.t('Datasets'),
  };
}
