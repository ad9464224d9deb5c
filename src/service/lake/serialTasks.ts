/** Runs tasks with the same key sequentially, and tasks with different keys concurrently. */
export class SerialTasks {
  private readonly last = new Map<string, Promise<unknown>>();

  /** Runs a task after all earlier tasks with the same key have settled. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const previous = this.last.get(key) ?? Promise.resolve();
    const running = previous.then(task, task);
    const settled = running.then(
      () => undefined,
      () => undefined,
    );
    this.last.set(key, settled);
    try {
      return await running;
    } finally {
      if (this.last.get(key) === settled) this.last.delete(key);
    }
  }

  /** Number of keys that have tasks. */
  get size(): number {
    return this.last.size;
  }

  /** Waits until no tasks remain. */
  async idle(): Promise<void> {
    while (this.last.size > 0) {
      await Promise.all(this.last.values());
    }
  }
}
