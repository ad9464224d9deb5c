import type { ItemPlacement, ItemSlice, ItemView } from '../../../src/shared/data/items';
import { isNumber, isShape, isString } from '../../../src/shared/guards';
import type { KeptViews } from '../../ui/keptViews';

/** An item, for when the panel comes back: VS Code forgets panels out of sight. */
interface KeptItem {
  readonly id: string;
  readonly place: number;
}

const isKeptItem = isShape<KeptItem>({ id: isString, place: isNumber });

/** What an item was in the panel, and in which list. */
interface ItemRole {
  /** Shown large, or the first that was seen of a list. */
  readonly role: 'large' | 'top';
  readonly placement: ItemPlacement;
}

export type FetchItems = (start: number, end: number) => Promise<ItemSlice>;

/** Listings begin with the newest: so many that came in the meantime may stand before an item. */
const MAX_NEWER_ITEMS = 100;

export function keptItem(kept: KeptViews, role: ItemRole): KeptItem | undefined {
  const item = kept.get(partOf(role));
  return isKeptItem(item) ? item : undefined;
}

/** @param item undefined while none is that */
export function keepItem(kept: KeptViews, role: ItemRole, item: KeptItem | undefined): void {
  kept.set(partOf(role), item && { id: item.id, place: item.place });
}

/** Finds a kept item where it stands by now; undefined where it is gone, or far away. */
export async function findKeptItem(
  { id, place }: KeptItem,
  fetch: FetchItems,
): Promise<ItemView | undefined> {
  for (;;) {
    const { items, read, count } = await fetch(place, place + MAX_NEWER_ITEMS);
    const found = items.find((item) => item.id === id);
    if (found || read >= Math.min(place + MAX_NEWER_ITEMS, count)) return found;
  }
}

function partOf({ role, placement }: ItemRole): string {
  return `${role} ${placement}`;
}
