import { raceAbort } from '../../base/cancellation';
import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { FleetClients } from '../api/fleetClients';
import { FleetError } from '../api/errors';

interface Flight<V> {
  readonly result: Promise<V>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Cache of responses by key. All callers share one request in flight per key, which is aborted when
 * no caller is waiting for it. The response to a request that started before an invalidation is
 * returned to its callers but not cached.
 */
export class ResourceCache<K extends string, V> {
  private readonly values = new Map<K, V>();
  private readonly flights = new Map<K, Flight<V>>();

  peek(key: K): V | undefined {
    return this.values.get(key);
  }

  /** Returns all cached values. */
  loaded(): IterableIterator<V> {
    return this.values.values();
  }

  set(key: K, value: V): void {
    this.flights.delete(key);
    this.values.set(key, value);
  }

  invalidate(key: K): void {
    this.flights.delete(key);
    this.values.delete(key);
  }

  clear(): void {
    this.flights.clear();
    this.values.clear();
  }

  /**
   * Returns the value for a key. A `fresh` read never joins an earlier request, because the
   * response to that request might be older.
   */
  async get(
    key: K,
    load: (signal: AbortSignal) => Promise<V>,
    { signal, fresh = false }: ReadOptions = {},
  ): Promise<V> {
    signal?.throwIfAborted();
    const known = this.values.get(key);
    if (known !== undefined && !fresh) return known;
    const running = this.flights.get(key);
    const flight = running && !fresh ? running : this.start(key, load);
    return this.wait(flight, signal);
  }

  /**
   * Like `get`. A fresh read can reveal changes by other users: if it returns other data than was
   * cached, calls `onDifference`, so that the store can notify its listeners.
   */
  async getAndCompare(
    key: K,
    load: (signal: AbortSignal) => Promise<V>,
    options: ReadOptions,
    onDifference: (before: V, after: V) => void,
    isSame: (before: V, after: V) => boolean = isSameData,
  ): Promise<V> {
    const before = this.values.get(key);
    const after = await this.get(key, load, options);
    const isCompared = options.fresh === true && before !== undefined && before !== after;
    if (isCompared && !isSame(before, after)) onDifference(before, after);
    return after;
  }

  private start(key: K, load: (signal: AbortSignal) => Promise<V>): Flight<V> {
    const controller = new AbortController();
    const flight: Flight<V> = { controller, waiting: 0, result: load(controller.signal) };
    this.flights.set(key, flight);
    flight.result.then(
      (value) => {
        if (this.flights.get(key) === flight) this.set(key, value);
      },
      () => {
        if (this.flights.get(key) === flight) this.flights.delete(key);
      },
    );
    controller.signal.addEventListener('abort', () => {
      if (this.flights.get(key) === flight) this.flights.delete(key);
    });
    return flight;
  }

  private async wait(flight: Flight<V>, signal: AbortSignal | undefined): Promise<V> {
    flight.waiting += 1;
    try {
      return await (signal ? raceAbort(flight.result, signal) : flight.result);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0) flight.controller.abort();
    }
  }
}

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

  constructor(protected readonly clients: FleetClients) {
    super();
  }

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

  /** Clears the cache without notifying listeners. */
  clear(): void {
    this.evict(storeChange({ all: true }));
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
    this.evict(whole);
    this.changed.fire(whole);
  }

  /** Notifies listeners about a change that a newly read list already contains. */
  protected fireChange(change: Partial<StoreChange<Item['id'], ParentId>>): void {
    this.changed.fire(storeChange(change));
  }

  /** Clears cached data. Stores that cache more than lists must override this method. */
  protected evict({ all, parents }: StoreChange<Item['id'], ParentId>): void {
    if (all) this.lists.clear();
    for (const parent of parents) this.lists.invalidate(parent);
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

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** True to read from the service even if a response is cached. */
  readonly fresh?: boolean | undefined;
}

/**
 * Compares all fields of entities, so that a field that is added later can't be missing from the
 * comparison. Entities contain only JSON data and dates.
 */
function isSameData(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
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

/**
 * Returns the result of a change. If the service no longer has the resource, the lists that contain
 * it are stale, so this function calls `reread` before rethrowing the error.
 */
export async function invalidateOnNotFound<T>(change: Promise<T>, reread: () => void): Promise<T> {
  try {
    return await change;
  } catch (error) {
    if (isNotFound(error)) reread();
    throw error;
  }
}

/** Returns true if a call failed because its resource was deleted or can no longer be viewed. */
export function isNotFound(error: unknown): boolean {
  return error instanceof FleetError && error.kind === 'notFound';
}
