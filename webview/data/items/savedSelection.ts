import type { ItemPlacement } from '../../../src/shared/data/items';
import {
  type Guarded,
  isBoolean,
  isListOf,
  isNumber,
  isShape,
  isString,
} from '../../../src/shared/guards';
import type { DataContext } from '../dataContext';
import { toFilterKey } from '../filter/filterView';
import type { Shown } from '../tabBar';
import type { ItemBoard } from './itemBoard';

const isSelectedItems = isShape({
  /** True if all items that match the filter are selected; `ids` is empty in this case. */
  all: isBoolean,
  ids: isListOf(isString),
  /** Index after the last selected item. */
  end: isNumber,
  /**
   * Key of the filter that lists the items. With a different filter, "all" would mean different
   * items.
   */
  filter: isString,
});
/** A list's selection, saved until the panel is shown again. */
type SelectedItems = Guarded<typeof isSelectedItems>;

/** Maximum number of saved IDs; more IDs would make the panel's state too large. */
export const MAX_SAVED_ITEMS = 2_000;

/**
 * Maximum number of new items to expect before a selected item. Listings start with the newest
 * item, so new items shift the existing ones.
 */
const MAX_NEWER_ITEMS = 1_000;

/** Debounce time in milliseconds. A rubber band changes the selection with each mouse move. */
const TOGETHER = 200;

/**
 * Saves the selected items in a list by their IDs, because VS Code discards hidden panels and
 * indexes change when items are added or deleted. A selection of more than 2,000 items is saved
 * only if it includes all items.
 */
export class SavedSelection {
  private readonly part: string;
  /**
   * False until the selection is restored. Until then, an empty selection isn't the user's choice.
   */
  private isRestored = false;
  /** Number of calls of `pause`. */
  private pauses = 0;
  /** Description of the most recently saved selection. */
  private last = '';
  private abortController = new AbortController();
  private waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly context: Pick<DataContext, 'host' | 'viewStates'>,
    private readonly board: ItemBoard,
    private readonly placement: ItemPlacement,
    private readonly shown: () => Shown,
  ) {
    this.part = `selection ${placement}`;
  }

  /** True if a new panel can restore the current selection. */
  get isRestorable(): boolean {
    const { all, count } = this.board.selection;
    return all || count <= MAX_SAVED_ITEMS;
  }

  /** Saves the current selection if it has changed. */
  saveCurrent(): void {
    const current = this.describe();
    if (!this.isRestored || current === this.last) return;
    this.last = current;
    this.abortController.abort();
    clearTimeout(this.waiting);
    const { all, count } = this.board.selection;
    // Until the IDs are known, save no items, so that the items from an earlier selection aren't
    // restored.
    this.save(all ? [] : undefined);
    if (all || count === 0 || !this.isRestorable) return;
    this.waiting = setTimeout(() => void this.identify(), TOGETHER);
  }

  /** Keeps the saved selection until `restore`, although the list is emptied. */
  pause(): void {
    this.pauses += 1;
    this.isRestored = false;
    this.abortController.abort();
    clearTimeout(this.waiting);
  }

  /**
   * Selects the items from the previous selection that still exist, unless the user has since
   * selected other items or applied another filter.
   *
   * @param isCurrent returns false once the list has been replaced
   */
  async restore(generation: number, isCurrent: () => boolean): Promise<void> {
    const { pauses } = this;
    const selected = this.context.viewStates.get(this.part);
    const isFree = (): boolean => isCurrent() && this.board.selection.count === 0;
    let isFound = false;
    try {
      if (isSelectedItems(selected) && selected.filter === this.filterKey) {
        const indexes = selected.all ? [] : await this.find(generation, selected, isFree);
        if (isFree()) this.select(selected, indexes);
      }
      isFound = isCurrent();
    } finally {
      // After another pause, the selection is restored later.
      if (this.pauses === pauses) this.isRestored = true;
      // Items that weren't found this time stay saved until the user selects something.
      if (isFound || this.board.selection.count > 0) this.saveCurrent();
      else this.last = this.describe();
    }
  }

  private select({ all, ids }: SelectedItems, indexes: readonly number[]): void {
    if (all) this.board.selectAll();
    else this.board.selectIndexes(indexes);
    if (this.board.selection.count === 0) return;
    // The IDs of these items are already known.
    this.last = this.describe();
    this.save(ids);
  }

  private async identify(): Promise<void> {
    this.abortController = new AbortController();
    const { signal } = this.abortController;
    const { generation } = this.shown();
    const { all, ranges } = this.board.selection;
    const selection = { generation, placement: this.placement, ranges, all };
    const request = this.context.host.request('identifyItems', selection, signal);
    const answer = await request.catch(() => undefined);
    // A newer selection, or hiding the panel, makes the response obsolete.
    if (answer && !signal.aborted) this.save(answer.ids);
  }

  /** @param ids undefined to remove the saved selection */
  private save(ids: readonly string[] | undefined): void {
    const { viewStates } = this.context;
    const { all, ranges } = this.board.selection;
    const end = ranges.at(-1)?.end ?? 0;
    if (ids) viewStates.set(this.part, { all, ids, end, filter: this.filterKey });
    else if (viewStates.get(this.part) !== undefined) viewStates.set(this.part, undefined);
  }

  private describe(): string {
    const { all, ranges } = this.board.selection;
    return JSON.stringify([this.shown().generation, all, ranges]);
  }

  private get filterKey(): string {
    const { filter } = this.shown();
    return filter ? toFilterKey(filter) : '';
  }

  private async find(
    generation: number,
    { ids, end }: SelectedItems,
    isCurrent: () => boolean,
  ): Promise<readonly number[]> {
    const { host } = this.context;
    const request = { generation, placement: this.placement, ids, end: end + MAX_NEWER_ITEMS };
    for (;;) {
      const { indexes, isRead } = await host.request('findItems', request);
      if (isRead || indexes.length === ids.length || !isCurrent()) return indexes;
    }
  }
}
