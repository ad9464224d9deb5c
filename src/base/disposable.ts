/** Anything that can be disposed of; structurally the same as a VS Code `Disposable`. */
export interface DisposableLike {
  dispose(): void;
}

/** Creates a disposable from a function, which runs at most once. */
export function toDisposable(dispose: () => void): DisposableLike {
  let done = false;
  return {
    dispose: () => {
      if (done) return;
      done = true;
      dispose();
    },
  };
}

/**
 * Base class of everything that owns resources. Disposes of registered items in reverse order.
 * After disposal, disposes of newly registered items immediately, so that a late response doesn't
 * leak resources.
 */
export abstract class Disposable implements DisposableLike {
  private readonly owned = new Set<DisposableLike>();
  private disposed = false;

  get isDisposed(): boolean {
    return this.disposed;
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    const owned = [...this.owned].reverse();
    this.owned.clear();
    for (const item of owned) item.dispose();
  }

  /** Ties the lifetime of `item` to this object. */
  protected register<T extends DisposableLike>(item: T): T {
    if (this.disposed) item.dispose();
    else this.owned.add(item);
    return item;
  }

  /** Disposes of one registered item early. */
  protected release(item: DisposableLike): void {
    if (this.owned.delete(item)) item.dispose();
  }
}

/** A collection of disposables for code that is not a class. */
export class DisposableSet extends Disposable {
  add<T extends DisposableLike>(item: T): T {
    return this.register(item);
  }

  remove(item: DisposableLike): void {
    this.release(item);
  }
}
