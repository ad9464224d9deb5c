import type { ItemPlacement } from '../../../src/shared/data/items';
import type { KeptViews } from '../../ui/keptViews';
import type { ItemBoard } from './itemBoard';
import { type FetchItems, findKeptItem, keepItem, keptItem } from './keptItem';

/** Saves the item to which a list is scrolled, to restore it when the panel is shown again. */
export class KeptTop {
  constructor(
    private readonly board: ItemBoard,
    private readonly kept: KeptViews,
    private readonly placement: ItemPlacement,
  ) {
    board.scroller.addEventListener('scrollend', () => this.keep());
  }

  /** The item at the scroll position might only be loaded now. */
  keep(): void {
    const [top] = this.isAtStart ? [] : this.board.seenItems;
    keepItem(this.kept, { role: 'top', placement: this.placement }, top);
  }

  /** Scrolls to the saved item if it still exists and the user hasn't scrolled since. */
  async restore(fetch: FetchItems, isWanted: () => boolean): Promise<void> {
    const kept = keptItem(this.kept, { role: 'top', placement: this.placement });
    const found = kept && (await findKeptItem(kept, fetch));
    if (found && isWanted() && this.isAtStart) this.board.scrollTo(found.place);
  }

  private get isAtStart(): boolean {
    return this.board.scroller.scrollTop === 0;
  }
}
