import type { Duplex } from 'node:stream';

/** A received message that hasn't been parsed yet. */
export interface RawMessage {
  requestId: number;
  opCode: number;
  /** Bytes after the header. If the message was dropped, contains only the first few bytes. */
  body: Buffer;
  /**
   * Reason that most of the message was dropped: the message was too long, or other messages were
   * using the available memory.
   */
  dropped?: 'tooLong' | 'noMemory' | undefined;
}

export interface MessageLimits {
  /** Maximum length of a body. Longer bodies are dropped. */
  maxBytes: number;
  /** Leases memory for a body. Returns false if not enough memory is available. */
  lease: (bytes: number) => boolean;
  /**
   * Timeout between the first and last bytes of a message. When it expires, the client is
   * disconnected.
   */
  receivingMs: number;
}

export const HEADER_BYTES = 16;
/** MongoDB's maximum message size, which clients don't exceed. */
export const MAX_MESSAGE_BYTES = 48_000_000;
/**
 * Number of bytes of a dropped message to retain. They are enough to determine the format of the
 * response.
 */
const RETAINED_BYTES = 4;
/**
 * Number of bytes to read ahead while an earlier message is being processed. Without reading ahead,
 * the service wouldn't notice a disconnect.
 */
const READ_AHEAD_BYTES = 64 * 1024;

/** Splits the client's bytes into messages, and applies back pressure. */
export class MessageStream {
  private chunks: Buffer[] = [];
  private buffered = 0;
  private requiredBytes = 0;
  private isEnded = false;
  private wake: () => void = () => undefined;

  constructor(private readonly socket: Duplex) {
    socket.on('data', (chunk: Buffer) => {
      this.chunks.push(chunk);
      this.buffered += chunk.byteLength;
      if (this.buffered >= Math.max(this.requiredBytes, READ_AHEAD_BYTES)) socket.pause();
      this.wake();
    });
    socket.on('close', () => {
      this.isEnded = true;
      this.wake();
    });
  }

  /**
   * Returns the next message; undefined if the client disconnected.
   * @throws if the bytes are not a message.
   */
  async next(limits: MessageLimits): Promise<RawMessage | undefined> {
    if (!(await this.hold(1))) return undefined;
    const timer = setTimeout(() => this.socket.destroy(), limits.receivingMs);
    try {
      return await this.receive(limits);
    } finally {
      clearTimeout(timer);
    }
  }

  private async receive({ maxBytes, lease }: MessageLimits): Promise<RawMessage | undefined> {
    const header = await this.take(HEADER_BYTES);
    if (header === undefined) return undefined;
    const length = header.readInt32LE(0);
    if (length < HEADER_BYTES + RETAINED_BYTES || length > MAX_MESSAGE_BYTES) {
      throw new Error('the client sent an invalid message');
    }
    const size = length - HEADER_BYTES;
    const hasMemory = size > maxBytes || lease(size);
    const dropped = size > maxBytes ? 'tooLong' : hasMemory ? undefined : 'noMemory';
    const body = await this.take(dropped === undefined ? size : RETAINED_BYTES);
    if (
      body === undefined ||
      (dropped !== undefined && !(await this.drop(size - RETAINED_BYTES)))
    ) {
      return undefined;
    }
    return { requestId: header.readInt32LE(4), opCode: header.readInt32LE(12), body, dropped };
  }

  private async take(count: number): Promise<Buffer | undefined> {
    if (!(await this.hold(count))) return undefined;
    const all =
      this.chunks.length === 1 && this.chunks[0] ? this.chunks[0] : Buffer.concat(this.chunks);
    this.chunks = all.byteLength > count ? [all.subarray(count)] : [];
    this.buffered -= count;
    return all.subarray(0, count);
  }

  private async drop(count: number): Promise<boolean> {
    for (let left = count; left > 0;) {
      const step = Math.min(left, READ_AHEAD_BYTES);
      if ((await this.take(step)) === undefined) return false;
      left -= step;
    }
    return true;
  }

  private async hold(count: number): Promise<boolean> {
    this.requiredBytes = count;
    while (this.buffered < count && !this.isEnded) {
      this.socket.resume();
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    this.requiredBytes = 0;
    return this.buffered >= count;
  }
}
