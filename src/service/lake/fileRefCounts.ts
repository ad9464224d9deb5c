/** Counts the readers of files, so that no file is removed while it is being read. */
export class FileRefCounts {
  readonly #readers = new Map<string, number>();
  readonly #unwanted = new Set<string>();

  constructor(private readonly remove: (name: string) => Promise<void>) {}

  /** Prevents the removal of files until the result is disposed of. */
  acquire(names: readonly string[]): AsyncDisposable {
    for (const name of names) {
      this.#readers.set(name, (this.#readers.get(name) ?? 0) + 1);
    }
    return { [Symbol.asyncDispose]: () => this.#release(names) };
  }

  /** Removes files as soon as they are no longer being read. */
  async discard(names: readonly string[]): Promise<void> {
    for (const name of names) {
      if (this.#readers.has(name)) {
        this.#unwanted.add(name);
      } else {
        await this.remove(name);
      }
    }
  }

  async #release(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const left = (this.#readers.get(name) ?? 0) - 1;
      if (left > 0) {
        this.#readers.set(name, left);
        continue;
      }
      this.#readers.delete(name);
      if (this.#unwanted.delete(name)) {
        await this.remove(name);
      }
    }
  }
}
