import type { ItemPlacement } from '../../../src/shared/data/items';
import type { KeptViews } from '../../ui/keptViews';
import type { ItemBoard } from './itemBoard';
import { type FetchItems, findKeptItem, keepItem, keptItem } from './keptItem';

/** Keeps which item a list is scrolled to, for when the panel comes back. */
export class KeptTop {
  constructor(
    private readonly board: ItemBoard,
    private readonly kept: KeptViews,
    private readonly placement: ItemPlacement,
  ) {
    board.scroller.addEventListener('scrollend', () => this.keep());
  }

  /** What is scrolled to may be known only now. */
  keep(): void {
    const [top] = this.isAtStart ? [] : this.board.seenItems;
    keepItem(this.kept, { role: 'top', placement: this.placement }, top);
  }

  /** Scrolls to the item that was kept, where that is still there and nobody has scrolled in the meantime. */
  async restore(fetch: FetchItems, isWanted: () => boolean): Promise<void> {
    const kept = keptItem(this.kept, { role: 'top', placement: this.placement });
    const found = kept && (await findKeptItem(kept, fetch));
    if (found && isWanted() && this.isAtStart) this.board.scrollTo(found.place);
  }

  private get isAtStart(): boolean {
    return this.board.scroller.scrollTop === 0;
  }
}
