/** Runs tasks of the same key one after the other, and those of different keys beside each other. */
export class SerialTasks {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs a task when those that were asked for before have ended, however they ended. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const previous = this.#last.get(key) ?? Promise.resolve();
    const running = previous.then(task, task);
    const settled = running.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(key, settled);
    try {
      return await running;
    } finally {
      if (this.#last.get(key) === settled) {
        this.#last.delete(key);
      }
    }
  }

  /** Of how many keys there are tasks. */
  get size(): number {
    return this.#last.size;
  }

  /** Waits until no task is left. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) {
      await Promise.all(this.#last.values());
    }
  }
}
