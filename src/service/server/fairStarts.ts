/**
 * Maximum number of starts per tick of the event loop. A small call takes about half a millisecond.
 */
const MAX_STARTS_PER_TURN = 8;

/**
 * Starts only a few calls per tick of the event loop, round-robin by connection. Otherwise, one
 * connection could send thousands of small calls in one packet, and all of them would be handled
 * before any other work.
 */
export class FairStarts<Connection> {
  private readonly waiting = new Map<Connection, (() => void)[]>();
  private startCount = 0;
  private isScheduled = false;

  /** Resolves when a call of a connection can start. */
  async wait(connection: Connection): Promise<void> {
    this.schedule();
    if (this.waiting.size === 0 && this.startCount < MAX_STARTS_PER_TURN) {
      this.startCount += 1;
      return;
    }
    await new Promise<void>((resolve) => {
      const queue = this.waiting.get(connection);
      if (queue === undefined) this.waiting.set(connection, [resolve]);
      else queue.push(resolve);
    });
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.startWaiting();
    });
  }

  private startWaiting(): void {
    this.startCount = 0;
    while (this.startCount < MAX_STARTS_PER_TURN) {
      const [first] = this.waiting;
      if (first === undefined) return;
      const [connection, queue] = first;
      const start = queue.shift();
      this.waiting.delete(connection);
      if (queue.length > 0) this.waiting.set(connection, queue);
      this.startCount += 1;
      start?.();
    }
    this.schedule();
  }
}
