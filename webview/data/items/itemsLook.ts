import { isBoolean, isOneOf, isOptional, isShape } from '../../../src/shared/guards';
import type { KeptViews } from '../../ui/keptViews';
import type { TileSize } from './tileSizes';

/** The user's preferences for showing items. */
export interface ItemsLook {
  readonly size?: TileSize | undefined;
  readonly boxes?: boolean | undefined;
  /** True to show the details next to the open item. */
  readonly facts?: boolean | undefined;
}

const isLook = isShape<ItemsLook>({
  size: isOptional(isOneOf('small', 'medium', 'large')),
  boxes: isOptional(isBoolean),
  facts: isOptional(isBoolean),
});

const PART = 'items';

export function itemsLook(kept: KeptViews): ItemsLook {
  const look = kept.get(PART);
  return isLook(look) ? look : {};
}

export function keepItemsLook(kept: KeptViews, change: ItemsLook): void {
  kept.set(PART, { ...itemsLook(kept), ...change });
}
