import type { Readable } from 'node:stream';
import { Code, ConnectError } from '@connectrpc/connect';
import type { HttpRequest } from './http';

/** Timeouts for a request body. */
export interface BodyTimeouts {
  /** Timeout between two chunks of a message. */
  readonly progressMs: number;
  /** Timeout between two messages in a stream. */
  readonly idleMs: number;
  /**
   * Base timeout for a message. It is extended by the time needed to transfer the message at
   * `minBytesPerSecond`.
   */
  readonly messageMs: number;
  readonly minBytesPerSecond: number;
}

export const BODY_TIMEOUTS: BodyTimeouts = {
  progressMs: 30_000,
  idleMs: 300_000,
  messageMs: 60_000,
  minBytesPerSecond: 16 * 1024,
};

const MS_PER_SECOND = 1_000;

/** Reads a request body in amounts that the reader chooses, with timeouts. */
export class BodySource {
  private readonly chunks: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);
  private messageEndsAt = Infinity;
  private messageStartedAt = 0;
  private messageBytes = 0;
  private receivedBytes = 0;
  private isWaiting = false;
  private interruption: Error | undefined;
  private failWait: ((reason: Error) => void) | undefined;

  constructor(
    request: HttpRequest,
    private readonly timeouts: BodyTimeouts,
    private readonly onTimeout: () => void,
  ) {
    // If reading stops early, the request must stay open, because the response uses the same
    // connection.
    const body: Readable = request;
    const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    this.chunks = chunks[Symbol.asyncIterator]();
  }

  /**
   * Returns true if the body contains more data. Waits for the first bytes of the next message.
   * @param isIdleAllowed true if the client can pause between two messages
   */
  async hasMore(isIdleAllowed: boolean): Promise<boolean> {
    if (this.rest.length > 0) return true;
    this.messageEndsAt = Infinity;
    return this.receive(isIdleAllowed ? this.timeouts.idleMs : this.timeouts.progressMs);
  }

  /** Starts the timeout for a message of the given size. */
  startMessage(bytes: number): void {
    const { messageMs, minBytesPerSecond } = this.timeouts;
    this.messageStartedAt = performance.now();
    this.messageBytes = bytes;
    this.receivedBytes = this.rest.length;
    this.messageEndsAt =
      this.messageStartedAt + messageMs + (bytes / minBytesPerSecond) * MS_PER_SECOND;
  }

  /**
   * Returns the estimated time in milliseconds to wait for the rest of the message, based on the
   * transfer rate so far; undefined while not waiting for the client.
   */
  estimateWaitMs(): number | undefined {
    if (!this.isWaiting) return undefined;
    const left = Math.max(0, this.messageBytes - this.receivedBytes);
    if (left === 0) return 0;
    const elapsed = performance.now() - this.messageStartedAt;
    return this.receivedBytes === 0 ? Infinity : (left * elapsed) / this.receivedBytes;
  }

  /** Causes the current or next read to fail. */
  interrupt(reason: Error): void {
    this.interruption = reason;
    this.failWait?.(reason);
  }

  /** Returns the next bytes, at least one and at most `max`; undefined at the end of the body. */
  async readSome(max: number): Promise<Buffer | undefined> {
    if (this.rest.length === 0 && !(await this.receive(this.timeouts.progressMs))) return undefined;
    const some = this.rest.subarray(0, max);
    this.rest = this.rest.subarray(some.length);
    return some;
  }

  /** Reads until `target` is full or the body ends. Returns the number of bytes read. */
  async readInto(target: Uint8Array, start = 0): Promise<number> {
    let length = start;
    while (length < target.length) {
      const some = await this.readSome(target.length - length);
      if (some === undefined) break;
      target.set(some, length);
      length += some.length;
    }
    return length;
  }

  /** Returns received bytes that have not been consumed yet. */
  peek(): Buffer {
    return this.rest;
  }

  /** Waits until at least `count` unread bytes are available or the body ends. */
  async fill(count: number): Promise<void> {
    while (this.rest.length < count) {
      const before = this.rest;
      this.rest = Buffer.alloc(0);
      const isMore = await this.receive(this.timeouts.progressMs);
      this.rest = Buffer.concat([before, this.rest]);
      if (!isMore) return;
    }
  }

  private async receive(patienceMs: number): Promise<boolean> {
    const left = Math.min(patienceMs, this.messageEndsAt - performance.now());
    if (this.interruption) throw this.interruption;
    this.isWaiting = true;
    const next = await this.inTime(this.chunks.next(), left).finally(() => {
      this.isWaiting = false;
    });
    if (next.done === true) return false;
    this.rest = next.value;
    this.receivedBytes += next.value.length;
    return true;
  }

  private inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => {
          this.onTimeout();
          const message = 'the request is arriving too slowly: check the connection and try again';
          reject(new ConnectError(message, Code.DeadlineExceeded));
        },
        Math.max(0, milliseconds),
      );
      this.failWait = (reason) => {
        clearTimeout(timer);
        reject(reason);
      };
      work.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }
}
