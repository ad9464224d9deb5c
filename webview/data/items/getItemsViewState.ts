import { isBoolean, isOneOf, isOptional, isShape } from '../../../src/shared/guards';
import type { ViewStateStore } from '../../ui/createViewStateStore';
import type { TileSize } from './tileSizes';

/** The user's view preferences for items. */
export interface ItemsViewState {
  readonly size?: TileSize | undefined;
  readonly boxes?: boolean | undefined;
  /** True to show the details next to the open item. */
  readonly facts?: boolean | undefined;
}

const isViewState = isShape<ItemsViewState>({
  size: isOptional(isOneOf('small', 'medium', 'large')),
  boxes: isOptional(isBoolean),
  facts: isOptional(isBoolean),
});

const PART = 'items';

export function getItemsViewState(viewStates: ViewStateStore): ItemsViewState {
  const saved = viewStates.get(PART);
  return isViewState(saved) ? saved : {};
}

export function saveItemsViewState(viewStates: ViewStateStore, change: ItemsViewState): void {
  viewStates.set(PART, { ...getItemsViewState(viewStates), ...change });
}
