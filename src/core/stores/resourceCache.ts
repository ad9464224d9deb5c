import { untilAborted } from '../../base/cancellation';
import type { ReadOptions } from './storeChange';

interface Flight<V> {
  readonly result: Promise<V>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Cache of responses by key. All callers share one request in flight per key, which is aborted when
 * no caller waits for it anymore. The response to a request that started before an invalidation is
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
      return await (signal ? untilAborted(flight.result, signal) : flight.result);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0) flight.controller.abort();
    }
  }
}
