import type { ItemSlice, ItemView } from '../../../src/shared/data/items';
import { element } from '../../ui/elements';
import { VirtualGrid } from '../../ui/virtualGrid';
import { listenToBoardKeys, listenToBoardMouse } from './boardInput';
import { cellId, type ItemCell } from './itemCell';
import { ItemWindow } from './itemWindow';
import { RubberBand } from './rubberBand';
import { Selection } from './selection';

export interface ItemBoardOptions {
  readonly layout: 'cells' | 'rows';
  /** The list's label for screen readers. */
  readonly label: string;
  cellWidth(): number;
  makeCell(): ItemCell;
  fetch(start: number, end: number, signal: AbortSignal): Promise<ItemSlice>;
  open(item: ItemView): void;
  selectionChanged(): void;
  /**
   * Called with the number of items that the host has read so far to reach the requested items;
   * undefined if no items are requested.
   */
  reading(read: number | undefined): void;
  /** Called when the number of items changes. */
  counted(count: number): void;
  failed(error: unknown): void;
  /** Called when the visible items have changed: when they are loaded, and after each drawing. */
  seenChanged(): void;
}

/** Items in a grid or list; only the visible items are loaded and drawn. */
export class ItemBoard {
  readonly element: HTMLElement;
  readonly selection = new Selection();
  readonly items: ItemWindow;
  private readonly grid: VirtualGrid<ItemCell>;
  /** Index of an item to open as soon as it is loaded. */
  private opening: number | undefined;

  constructor(private readonly options: ItemBoardOptions) {
    this.items = new ItemWindow({
      fetch: (start, end, signal) => options.fetch(start, end, signal),
      changed: () => this.itemsCame(),
      counted: (count) => this.countChanged(count),
      failed: (error) => options.failed(error),
    });
    this.grid = new VirtualGrid(boardAttributes(options), {
      layout: options.layout,
      cellWidth: () => options.cellWidth(),
      makeCell: () => options.makeCell(),
      drawCell: (cell, index) => this.drawCell(cell, index),
      onWindow: (start, end) => this.items.request(start, end),
      onDrawn: () => this.afterDrawing(),
    });
    const scroller = this.grid.element;
    const band = new RubberBand(this.bandTarget());
    this.element = element('div', { class: 'board' }, scroller, band.element);
    listenToBoardMouse(scroller, {
      clicked: (index, how) => this.clicked(index, how),
      doubleClicked: (index) => this.openAt(index),
    });
    listenToBoardKeys(scroller, this);
  }

  get columns(): number {
    return this.grid.columns;
  }

  get pageStep(): number {
    return this.grid.pageStep;
  }

  get count(): number {
    return this.grid.count;
  }

  get active(): number | undefined {
    return this.selection.active;
  }

  /** The scrolling element. */
  get scroller(): HTMLElement {
    return this.grid.element;
  }

  /** The visible items that are loaded, from top to bottom. */
  get seenItems(): readonly ItemView[] {
    const { start, end } = this.grid.seen;
    const seen: ItemView[] = [];
    for (let index = start; index < end; index += 1) {
      const item = this.items.at(index);
      if (item) seen.push(item);
    }
    return seen;
  }

  /** Resets the board for a different listing with the given number of items. */
  reset(count: number): void {
    this.opening = undefined;
    this.selection.reset(count);
    this.items.reset(count);
    this.grid.setCount(count, { reset: true });
    // The layout, which determines the visible items, takes a frame.
    if (count > 0) this.items.request(0, 1);
    this.options.selectionChanged();
  }

  /** Updates the layout after the cell size changed. */
  fit(): void {
    this.grid.fit();
    this.grid.refresh();
  }

  refresh(): void {
    this.grid.refresh();
  }

  cellAt(index: number): ItemCell | undefined {
    return this.grid.cellAt(index);
  }

  focus(): void {
    this.grid.element.focus();
  }

  /** Scrolls an item into view and makes it active. */
  show(index: number): void {
    this.selection.moveTo(index);
    this.grid.scrollTo(index, 'nearest');
    this.changed();
  }

  /** Scrolls so that an item is the first visible one; doesn't change the active item. */
  scrollTo(index: number): void {
    this.grid.scrollTo(index, 'start');
  }

  go(index: number, how: 'choose' | 'extend' | 'move'): void {
    if (how === 'choose') this.selection.choose(index);
    else if (how === 'extend') this.selection.extendTo(index);
    else this.selection.moveTo(index);
    this.grid.scrollTo(index, 'nearest');
    this.changed();
  }

  toggleActive(): void {
    const index = this.active ?? (this.count > 0 ? 0 : undefined);
    if (index === undefined) return;
    this.selection.toggle(index);
    this.changed();
  }

  openActive(): void {
    if (this.active !== undefined) this.openAt(this.active);
  }

  selectAll(): void {
    if (this.count === 0) return;
    this.selection.selectAll();
    this.changed();
  }

  /** Selects the items at the given indexes without changing the active item. */
  selectIndexes(indexes: readonly number[]): void {
    const { selection } = this;
    selection.selectRanges(
      indexes
        .filter((index) => index < this.count)
        .map((index) => ({ start: index, end: index + 1 })),
      [],
    );
    this.changed();
  }

  clearSelection(): boolean {
    if (this.selection.count === 0) return false;
    this.selection.clear();
    this.changed();
    return true;
  }

  private clicked(
    index: number,
    { extend, add }: { readonly extend: boolean; readonly add: boolean },
  ): void {
    if (extend) this.selection.extendTo(index, { add });
    else if (add) this.selection.toggle(index);
    else this.selection.choose(index);
    this.changed();
  }

  /**
   * Opens the item at an index. If the item isn't loaded yet, opens it once it is loaded, unless
   * the user moves elsewhere first.
   */
  private openAt(index: number): void {
    const item = this.items.at(index);
    this.opening = item ? undefined : index;
    if (item) this.options.open(item);
  }

  private changed(): void {
    this.opening = undefined;
    this.grid.refresh();
    this.options.selectionChanged();
  }

  private drawCell(cell: ItemCell, index: number): void {
    const { selection } = this;
    cell.show(index, this.items.at(index), {
      selected: selection.has(index),
      active: index === selection.active,
    });
  }

  private itemsCame(): void {
    if (this.opening !== undefined) this.openAt(this.opening);
    this.options.reading(this.items.reading);
    this.options.seenChanged();
    this.grid.refresh();
  }

  private countChanged(count: number): void {
    this.selection.setCount(count);
    this.grid.setCount(count);
    this.options.counted(count);
    this.options.selectionChanged();
  }

  private afterDrawing(): void {
    const { scroller, active } = this;
    if (active !== undefined && this.grid.cellAt(active)) {
      scroller.setAttribute('aria-activedescendant', cellId(active));
    } else {
      scroller.removeAttribute('aria-activedescendant');
    }
    this.options.seenChanged();
  }

  private bandTarget(): ConstructorParameters<typeof RubberBand>[0] {
    const { grid, selection } = this;
    return {
      scroller: grid.element,
      get columns() {
        return grid.columns;
      },
      get count() {
        return grid.count;
      },
      anyRow: () => grid.anyRow(),
      began: (isAdditive) => (isAdditive ? selection.ranges : []),
      select: (ranges, baseRanges) => {
        selection.selectRanges(ranges, baseRanges);
        this.changed();
      },
      ended: () => this.changed(),
    };
  }
}

function boardAttributes({
  label,
  layout,
}: Pick<ItemBoardOptions, 'label' | 'layout'>): Record<string, string> {
  return {
    role: 'grid',
    class: `board-scroller of-${layout}`,
    'aria-label': label,
    'aria-multiselectable': 'true',
  };
}
