import type { ItemPlacement, ItemSlice, ItemView } from '../../../src/shared/data/items';
import { isNumber, isShape, isString } from '../../../src/shared/guards';
import type { KeptViews } from '../../ui/keptViews';

/** The item that is shown large, for when the panel comes back: VS Code forgets panels out of sight. */
interface KeptItem {
  readonly id: string;
  readonly place: number;
}

const isKeptItem = isShape<KeptItem>({ id: isString, place: isNumber });

/** Listings begin with the newest: so many that came meanwhile may stand before an item. */
const CAME_MEANWHILE = 100;

export function keptItem(kept: KeptViews, placement: ItemPlacement): KeptItem | undefined {
  const item = kept.get(partOf(placement));
  return isKeptItem(item) ? item : undefined;
}

/** @param item undefined while none is shown large */
export function keepItem(
  kept: KeptViews,
  placement: ItemPlacement,
  item: KeptItem | undefined,
): void {
  kept.set(partOf(placement), item && { id: item.id, place: item.place });
}

/** Finds a kept item where it stands by now; undefined where it is gone, or far away. */
export async function findKeptItem(
  { id, place }: KeptItem,
  fetch: (start: number, end: number) => Promise<ItemSlice>,
): Promise<ItemView | undefined> {
  for (;;) {
    const { items, read, count } = await fetch(place, place + CAME_MEANWHILE);
    const found = items.find((item) => item.id === id);
    if (found || read >= Math.min(place + CAME_MEANWHILE, count)) return found;
  }
}

function partOf(placement: ItemPlacement): string {
  return `item ${placement}`;
}
