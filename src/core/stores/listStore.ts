import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { LoadClients } from '../api/fleetClients';
import { ResourceCache } from './resourceCache';
import { type StoreChange, storeChange } from './storeChange';

/** What stores of resources share that are listed by their parent: one list for each parent, and an event. */
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

  /** What these parents held is gone with them. */
  removeIn(parents: readonly ParentId[]): void {
    if (parents.length > 0) this.fire({ removed: this.heldBy(parents), parents });
  }

  /** Forgets what is cached and tells everyone to read again. */
  refresh(): void {
    this.fire({ all: true });
  }

  /** What lists that are here have in them. */
  protected heldBy(parents: readonly ParentId[]): readonly Item['id'][] {
    return parents.flatMap((parent) => this.lists.peek(parent) ?? []).map(({ id }) => id);
  }

  /** Forgets what a change made stale, and tells everyone. */
  protected fire(change: Partial<StoreChange<Item['id'], ParentId>>): void {
    const whole = storeChange(change);
    this.forget(whole);
    this.changed.fire(whole);
  }

  /** Tells of a change that a list read afresh shows already. */
  protected tell(change: Partial<StoreChange<Item['id'], ParentId>>): void {
    this.changed.fire(storeChange(change));
  }

  /** Stores that keep more than lists forget that, too. */
  protected forget({ all, parents }: StoreChange<Item['id'], ParentId>): void {
    if (all) this.lists.clear();
    for (const parent of parents) this.lists.invalidate(parent);
  }
}
