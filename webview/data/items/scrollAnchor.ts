import type { ItemPlacement, ItemSlice, ItemView } from '../../../src/shared/data/items';
import type { ViewStateStore } from '../../ui/createViewStateStore';
import type { ItemBoard } from './itemBoard';
import { type Guarded, isNumber, isShape, isString } from '../../../src/shared/guards';

/** Saves the item to which a list is scrolled, to restore it when the panel is shown again. */
export class ScrollAnchor {
  /** Identifies the latest pause; undefined while nothing is paused. */
  private paused: object | undefined;

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
    if (this.paused) return;
    const [top] = this.isAtStart ? [] : this.board.seenItems;
    saveItem(this.viewStates, { role: 'top', placement: this.placement }, top);
  }

  /** Keeps the saved item until `restore`, although the list is emptied. */
  pause(): void {
    this.paused = {};
  }

  /** Scrolls to the saved item if it still exists and the user hasn't scrolled since. */
  async restore(fetch: FetchItems, isCurrent: () => boolean): Promise<void> {
    const { paused } = this;
    try {
      const saved = getSavedItem(this.viewStates, { role: 'top', placement: this.placement });
      const found = saved && (await findSavedItem(saved, fetch));
      if (found && isCurrent() && this.isAtStart) this.board.scrollTo(found.index);
    } finally {
      if (this.paused === paused) this.paused = undefined;
    }
  }

  private get isAtStart(): boolean {
    return this.board.scroller.scrollTop === 0;
  }
}

const isSavedItem = isShape({
  id: isString,
  index: isNumber,
});
/** An item to restore when the panel is shown again, because VS Code discards hidden panels. */
type SavedItem = Guarded<typeof isSavedItem>;

/** An item's role in the panel, and the item's list. */
interface ItemRole {
  /** `large` is the open item; `top` is the first visible item in a list. */
  readonly role: 'large' | 'top';
  readonly placement: ItemPlacement;
}

export type FetchItems = (start: number, end: number) => Promise<ItemSlice>;

/**
 * Maximum number of new items to expect before a saved item. Listings are sorted newest first, so
 * new items are inserted before the saved item.
 */
const MAX_NEWER_ITEMS = 100;

export function getSavedItem(viewStates: ViewStateStore, role: ItemRole): SavedItem | undefined {
  const item = viewStates.get(toStateKey(role));
  return isSavedItem(item) ? item : undefined;
}

/**
 * Saves an item for a role.
 * @param item undefined if there is none
 */
export function saveItem(
  viewStates: ViewStateStore,
  role: ItemRole,
  item: SavedItem | undefined,
): void {
  viewStates.set(toStateKey(role), item && { id: item.id, index: item.index });
}

/** Finds the current index of a saved item; undefined if it was deleted or is too far away. */
export async function findSavedItem(
  { id, index }: SavedItem,
  fetch: FetchItems,
): Promise<ItemView | undefined> {
  for (;;) {
    const { items, read, count } = await fetch(index, index + MAX_NEWER_ITEMS);
    const found = items.find((item) => item.id === id);
    if (found || read >= Math.min(index + MAX_NEWER_ITEMS, count)) return found;
  }
}

function toStateKey({ role, placement }: ItemRole): string {
  return `${role} ${placement}`;
}
