import { raceAbort } from '../../base/cancellation';
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

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** True to read from the service even if a response is cached. */
  readonly fresh?: boolean | undefined;
}

/**
 * Compares all fields of entities, so that a field that is added later can't be missing from the
 * comparison. Entities contain only JSON data and dates.
 */
export function isSameData(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
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
