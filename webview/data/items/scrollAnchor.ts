import type { ItemPlacement } from '../../../src/shared/data/items';
import type { ViewStateStore } from '../../ui/createViewStateStore';
import type { ItemBoard } from './itemBoard';
import { type FetchItems, findSavedItem, saveItem, getSavedItem } from './getSavedItem';

/** Saves the item to which a list is scrolled, to restore it when the panel is shown again. */
export class ScrollAnchor {
  constructor(
    private readonly board: ItemBoard,
    private readonly viewStates: ViewStateStore,
    private readonly placement: ItemPlacement,
  ) {
    board.scroller.addEventListener('scrollend', () => this.save());
  }

  /**
   * Saves the first visible item. Also called after loading, because that item might not have been
   * loaded before.
   */
  save(): void {
    const [top] = this.isAtStart ? [] : this.board.seenItems;
    saveItem(this.viewStates, { role: 'top', placement: this.placement }, top);
  }

  /** Scrolls to the saved item if it still exists and the user hasn't scrolled since. */
  async restore(fetch: FetchItems, isWanted: () => boolean): Promise<void> {
    const saved = getSavedItem(this.viewStates, { role: 'top', placement: this.placement });
    const found = saved && (await findSavedItem(saved, fetch));
    if (found && isWanted() && this.isAtStart) this.board.scrollTo(found.index);
  }

  private get isAtStart(): boolean {
    return this.board.scroller.scrollTop === 0;
  }
}
