import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { LoadClients } from '../api/fleetClients';
import { ResourceCache } from './resourceCache';
import { type StoreChange, storeChange } from './storeChange';

/**
 * Base class for stores of resources that are listed by their parent. Has one list per parent and
 * an event for changes.
 */
export abstract class ListStore<
  Item extends { readonly id: string },
  ParentId extends string,
> extends Disposable {
  protected readonly lists = new ResourceCache<ParentId, readonly Item[]>();
  private readonly changed = this.register(new Emitter<StoreChange<Item['id'], ParentId>>());
  readonly onDidChange = this.changed.event;

  constructor(protected readonly clients: LoadClients) {
    super();
  }

  /** Handles the deletion of these parents together with their contents. */
  removeIn(parents: readonly ParentId[]): void {
    if (parents.length > 0) this.fire({ removed: this.listCachedIds(parents), parents });
  }

  /** Clears the cache and notifies listeners so that they reload. */
  refresh(): void {
    this.fire({ all: true });
  }

  /** Returns the IDs in the cached lists of these parents. */
  protected listCachedIds(parents: readonly ParentId[]): readonly Item['id'][] {
    return parents.flatMap((parent) => this.lists.peek(parent) ?? []).map(({ id }) => id);
  }

  /** Clears the cached data that a change affects and notifies listeners. */
  protected fire(change: Partial<StoreChange<Item['id'], ParentId>>): void {
    const whole = storeChange(change);
    this.forget(whole);
    this.changed.fire(whole);
  }

  /** Notifies listeners of a change that a newly read list already contains. */
  protected fireChange(change: Partial<StoreChange<Item['id'], ParentId>>): void {
    this.changed.fire(storeChange(change));
  }

  /** Clears cached data. Stores that cache more than lists must override this method. */
  protected forget({ all, parents }: StoreChange<Item['id'], ParentId>): void {
    if (all) this.lists.clear();
    for (const parent of parents) this.lists.invalidate(parent);
  }
}
