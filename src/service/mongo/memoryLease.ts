import { MongoError } from './mongoError';

const KIBIBYTE = 1024;
/**
 * Maximum size of a request or response that isn't counted. The number of connections already
 * limits the total size of small messages.
 */
const SMALL_BYTES = 64 * KIBIBYTE;
const MAX_BATCH_BYTES = 4 * KIBIBYTE * KIBIBYTE;
/**
 * Divisor that limits a batch to 1/n of the available memory, which leaves memory for the next
 * batches.
 */
const SHARES = 8;

/** Memory that a connection uses for a request and its response. */
export class MemoryLease {
  private bytes = 0;

  /** @param quota quota that all connections share. */
  constructor(private readonly quota: ByteQuota) {}

  /**
   * Extends the lease to a number of bytes. Returns false if other connections use too much memory.
   */
  extendTo(bytes: number): boolean {
    const more = bytes - this.bytes;
    if (bytes <= SMALL_BYTES || more <= 0) return true;
    if (!this.quota.take(more)) return false;
    this.bytes += more;
    return true;
  }

  /**
   * Extends the lease so that it covers a response of a given size.
   * @throws MongoError that instructs the client to try again later
   */
  requireRoom(bytes: number): void {
    if (!this.extendTo(bytes)) {
      throw new MongoError(
        'IngressRequestRateLimitExceeded',
        'too many long responses are waiting for their clients: try again later, or select fewer fields',
      );
    }
  }

  /**
   * Leases memory for a batch of documents and returns the size of the batch in bytes. The size is
   * smaller while other connections use a lot of memory.
   */
  leaseBatch(): number {
    const share = Math.floor(this.quota.available / SHARES);
    const bytes = Math.max(SMALL_BYTES, Math.min(share, MAX_BATCH_BYTES));
    return this.extendTo(bytes) ? bytes : SMALL_BYTES;
  }

  /** Releases the memory. The lease can be extended again afterward. */
  release(): void {
    this.quota.release(this.bytes);
    this.bytes = 0;
  }
}

/** Shared quota of bytes on disk or in memory. */
export class ByteQuota {
  private takenBytes = 0;

  /** @param maxBytes total number of bytes for all users. */
  constructor(private readonly maxBytes: number) {}

  /** Number of reserved bytes. */
  get taken(): number {
    return this.takenBytes;
  }

  /** Number of available bytes. */
  get available(): number {
    return this.maxBytes - this.takenBytes;
  }

  /** Reserves bytes from the quota. Returns false if not enough bytes are available. */
  take(bytes: number): boolean {
    if (this.takenBytes + bytes > this.maxBytes) return false;
    this.takenBytes += bytes;
    return true;
  }

  release(bytes: number): void {
    this.takenBytes -= bytes;
  }
}
