import { type DisposableLike, toDisposable } from './disposable';

/** Returns an event that fires for the occurrences of another event that match. */
export function filterEvent<T>(event: Event<T>, isMatch: (occurrence: T) => boolean): Event<T> {
  return (listener) =>
    event((occurrence) => {
      if (isMatch(occurrence)) listener(occurrence);
    });
}

/** Function that subscribes a listener; compatible with VS Code's own `Event` type. */
export type Event<T> = (listener: (event: T) => unknown) => DisposableLike;

/**
 * Receives the errors that listeners throw, so that one failing listener doesn't prevent the other
 * listeners from running.
 */
export type ListenerErrorHandler = (error: unknown) => void;

/** A typed event source. Calls listeners synchronously, in subscription order. */
export class Emitter<T> implements DisposableLike {
  private readonly listeners = new Set<(event: T) => unknown>();
  private disposed = false;

  constructor(private readonly onListenerError: ListenerErrorHandler = rethrowLater) {}

  readonly event: Event<T> = (listener) => {
    if (this.disposed) return toDisposable(() => undefined);
    // Wrap the listener, so that subscribing the same function twice creates two subscriptions.
    const subscription = (event: T): unknown => listener(event);
    this.listeners.add(subscription);
    return toDisposable(() => this.listeners.delete(subscription));
  };

  fire(event: T): void {
    for (const listener of [...this.listeners]) {
      try {
        listener(event);
      } catch (error) {
        this.onListenerError(error);
      }
    }
  }

  dispose(): void {
    this.disposed = true;
    this.listeners.clear();
  }
}

function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
