import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { FleetClients } from '../api/fleetClients';
import { invalidateOnNotFound, isSameData, type ReadOptions, ResourceCache } from './resourceCache';

/** Base class for stores that cache one value per parent and report changes to its contents. */
export abstract class ParentStore<
  Value,
  Id extends string,
  ParentId extends string,
> extends Disposable {
  protected readonly lists = new ResourceCache<ParentId, Value>();
  private readonly changed = this.register(new Emitter<StoreChange<Id, ParentId>>());
  readonly onDidChange = this.changed.event;

  constructor(protected readonly clients: FleetClients) {
    super();
  }

  /** Handles changes made elsewhere to the contents of these parents, or their deletion. */
  changedIn(parents: readonly ParentId[]): void {
    if (parents.length > 0) this.fire({ parents });
  }

  /** Clears the cache without notifying listeners. */
  clear(): void {
    this.evict(storeChange({ all: true }));
  }

  /** Clears the cache and notifies listeners so that they reload. */
  refresh(): void {
    this.fire({ all: true });
  }

  /**
   * Returns the response to a call that changes a resource in `parent`. If the service no longer
   * has the resource, clears the cached data of the parent and notifies listeners.
   */
  protected sendChange<T>(parent: ParentId, call: Promise<T>): Promise<T> {
    return invalidateOnNotFound(call, () => this.changedIn([parent]));
  }

  /** Clears the cached data that a change affects and notifies listeners. */
  protected fire(change: Partial<StoreChange<Id, ParentId>>): void {
    const whole = storeChange(change);
    this.evict(whole);
    this.changed.fire(whole);
  }

  /** Notifies listeners about a change that a newly read list already contains. */
  protected fireChange(change: Partial<StoreChange<Id, ParentId>>): void {
    this.changed.fire(storeChange(change));
  }

  /** Clears cached data. Stores that cache more than lists must override this method. */
  protected evict({ all, parents }: StoreChange<Id, ParentId>): void {
    if (all) this.lists.clear();
    for (const parent of parents) this.lists.invalidate(parent);
  }
}

/** Base class for stores of resources that are listed by their parent. */
export abstract class ListStore<
  Item extends { readonly id: string },
  ParentId extends string,
> extends ParentStore<readonly Item[], Item['id'], ParentId> {
  /** Returns a list, and notifies listeners if a fresh read reveals changes by other users. */
  protected readList(
    parent: ParentId,
    load: (signal: AbortSignal) => Promise<readonly Item[]>,
    options: ReadOptions,
  ): Promise<readonly Item[]> {
    return this.lists.getAndCompare(
      parent,
      load,
      options,
      (before, after) => this.reportDifference(parent, before, after),
      (before, after) => this.isSameList(before, after),
    );
  }

  /** Returns true if two reads of a list contain the same displayed data. */
  protected isSameList(before: readonly Item[], after: readonly Item[]): boolean {
    return isSameData(before, after);
  }

  /**
   * Returns the resources that were added, or whose own fields have changed. A missing resource
   * isn't reported as deleted, because it might have moved to another list.
   */
  protected findChanged(before: readonly Item[], after: readonly Item[]): readonly Item['id'][] {
    return findDifferences<Item['id']>(before, after).ids;
  }

  /** Notifies listeners about changes that a fresh list reveals. */
  protected reportDifference(
    parent: ParentId,
    before: readonly Item[],
    after: readonly Item[],
  ): void {
    this.fireChange({ ids: this.findChanged(before, after), parents: [parent] });
  }

  /** Handles the deletion of these parents together with their contents. */
  removeIn(parents: readonly ParentId[]): void {
    if (parents.length > 0) this.fire({ removed: this.listCachedIds(parents), parents });
  }

  /** Returns the IDs in the cached lists of these parents. */
  protected listCachedIds(parents: readonly ParentId[]): readonly Item['id'][] {
    return parents.flatMap((parent) => this.lists.peek(parent) ?? []).map(({ id }) => id);
  }
}

/**
 * Change that a store reports to its listeners. Contains all data that listeners need to handle the
 * change.
 */
export interface StoreChange<Id extends string, ParentId extends string = never> {
  /** Resources that were added, or whose own fields have changed. */
  readonly ids: readonly Id[];
  /** Resources that were deleted. */
  readonly removed: readonly Id[];
  /** Parents whose lists of children have changed. */
  readonly parents: readonly ParentId[];
  /** True if any data might have changed, so that all displayed data must be reloaded. */
  readonly all: boolean;
}

/** Returns a complete change, in which the given fields are set and all other fields are empty. */
export function storeChange<Id extends string, ParentId extends string = never>(
  change: Partial<StoreChange<Id, ParentId>>,
): StoreChange<Id, ParentId> {
  return { ids: [], removed: [], parents: [], all: false, ...change };
}

/** Returns the resources that differ between two reads of a list. */
export function findDifferences<Id extends string>(
  before: readonly { readonly id: Id }[],
  after: readonly { readonly id: Id }[],
): Pick<StoreChange<Id>, 'ids' | 'removed'> {
  const known = new Map(before.map((item) => [item.id, item]));
  const current = new Set(after.map(({ id }) => id));
  return {
    ids: after.flatMap((item) => (isSameData(known.get(item.id), item) ? [] : [item.id])),
    removed: before.flatMap(({ id }) => (current.has(id) ? [] : [id])),
  };
}

/** Returns the resources that were added or renamed between two reads of a list. */
export function findRenamed<Id extends string>(
  before: readonly { readonly id: Id; readonly name: string }[],
  after: readonly { readonly id: Id; readonly name: string }[],
): readonly Id[] {
  const names = new Map(before.map(({ id, name }) => [id, name]));
  return after.flatMap(({ id, name }) => (names.get(id) === name ? [] : [id]));
}
