import { finished, type Readable } from 'node:stream';
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

/** Number of received bytes from which no more are read from the connection. */
const MAX_QUEUED_BYTES = 64 * 1024;
/**
 * Number of received buffers from which no more are read from the connection. A buffer with a single
 * byte uses more than 100 bytes of memory.
 */
const MAX_QUEUED_BUFFERS = 256;

/** Reads a request body in amounts that the reader chooses, with timeouts. */
export class BodySource {
  private readonly body: Readable;
  /** Received bytes after `rest`, in the buffers in which they arrived. */
  private readonly queue: Buffer[] = [];
  private queuedBytes = 0;
  private maxQueuedBytes = MAX_QUEUED_BYTES;
  private rest: Buffer = Buffer.alloc(0);
  private messageEndsAt = Infinity;
  private messageStartedAt = 0;
  private messageBytes = 0;
  private receivedBytes = 0;
  private isStarted = false;
  private isPaused = false;
  private isEnded = false;
  private isWaiting = false;
  private interruption: Error | undefined;
  private failure: ConnectError | undefined;
  private endWait: (() => void) | undefined;
  private failWait: ((reason: Error) => void) | undefined;

  constructor(
    request: HttpRequest,
    private readonly timeouts: BodyTimeouts,
    private readonly onTimeout: () => void,
  ) {
    this.body = request;
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

  /**
   * Returns true if unread bytes are available without waiting for the client. Takes one tick of the
   * event loop, in which all data that the operating system has received is read.
   */
  async hasArrived(): Promise<boolean> {
    if (this.rest.length + this.queuedBytes > 0) return true;
    if (this.isEnded) return false;
    await new Promise(setImmediate);
    return this.queuedBytes > 0;
  }

  /** Sets the number of received bytes from which no more are read from the connection. */
  setMaxQueued(bytes: number): void {
    this.maxQueuedBytes = bytes;
  }

  /** Starts the timeout for a message of the given size. */
  startMessage(bytes: number): void {
    const { messageMs, minBytesPerSecond } = this.timeouts;
    this.messageStartedAt = performance.now();
    this.messageBytes = bytes;
    this.receivedBytes = this.rest.length + this.queuedBytes;
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

  private async receive(timeoutMs: number): Promise<boolean> {
    if (this.interruption) throw this.interruption;
    this.start();
    if (this.queue.length === 0 && !this.isEnded) {
      this.isWaiting = true;
      const left = Math.min(timeoutMs, this.messageEndsAt - performance.now());
      await this.waitForData(left).finally(() => {
        this.isWaiting = false;
      });
    }
    if (this.failure) throw this.failure;
    const next = this.queue.shift();
    if (next === undefined) return false;
    this.rest = next;
    this.queuedBytes -= next.length;
    if (this.isPaused && this.queue.length === 0) {
      this.isPaused = false;
      this.body.resume();
    }
    return true;
  }

  /**
   * Starts to receive the body. Doesn't use the stream's iterator, which copies the data of several
   * packets into new memory.
   */
  private start(): void {
    if (this.isStarted) return;
    this.isStarted = true;
    const receive = (chunk: Buffer): void => {
      this.queue.push(chunk);
      this.queuedBytes += chunk.length;
      this.receivedBytes += chunk.length;
      if (this.queuedBytes >= this.maxQueuedBytes || this.queue.length >= MAX_QUEUED_BUFFERS) {
        this.isPaused = true;
        this.body.pause();
      }
      this.endWait?.();
    };
    const stopWatching = finished(this.body, { writable: false }, (error) => {
      stopWatching();
      this.body.off('data', receive);
      this.isEnded = true;
      // The request's signal can abort later than the body ends.
      this.failure = error
        ? new ConnectError('the caller disconnected', Code.Canceled, undefined, undefined, error)
        : undefined;
      this.endWait?.();
    });
    this.body.on('data', receive);
  }

  /** Resolves when data has arrived or the body has ended. */
  private waitForData(milliseconds: number): Promise<void> {
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
      this.endWait = () => {
        clearTimeout(timer);
        this.endWait = undefined;
        resolve();
      };
    });
  }
}
