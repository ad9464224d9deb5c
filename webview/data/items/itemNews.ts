import type { ItemsChanged } from '../../../src/shared/data/items';

type Listener = (change: ItemsChanged) => void;

/** Passes on that items have changed to whoever shows them. */
export class ItemNews {
  private readonly listeners = new Set<Listener>();

  listen(listener: Listener): void {
    this.listeners.add(listener);
  }

  tell(change: ItemsChanged): void {
    for (const listener of this.listeners) listener(change);
  }
}
