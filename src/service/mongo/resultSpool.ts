import { type FileHandle, open, rm } from 'node:fs/promises';
import type { ByteQuota } from './memoryLease';
import { isDiskFull } from '../store/storeErrors';
import { MongoError } from './mongoError';
import { getElementBytes, MAX_DOCUMENT_BYTES } from './rawBson';
import type { RunningQuery } from './commands/runningQuery';

/** Documents from a result. Contains as many as requested, or as many as the size limit allows. */
export interface Batch {
  documents: Uint8Array[];
  /** True if there are no more documents. */
  isLast: boolean;
}

export interface BatchSize {
  documents: number;
  /**
   * Maximum total size of the documents when encoded as array elements. If a single document is
   * larger, it is returned alone.
   */
  bytes: number;
}

const OWNER_ONLY_FILE = 0o600;
const LENGTH_BYTES = 4;
const FLUSH_BYTES = 256 * 1024;
const READ_BYTES = 256 * 1024;

/**
 * Spools the remainder of a result to a file. The query can finish as fast as it can write, and the
 * client can fetch the documents at its own pace.
 */
export class ResultSpool {
  private readonly filling: Promise<void>;
  private file: FileHandle | undefined;
  private pending: Uint8Array[] = [];
  private pendingBytes = 0;
  private writtenBytes = 0;
  private readBytes = 0;
  /** Bytes that have been read from the file but not consumed yet. */
  private read = Buffer.alloc(0);
  private isComplete = false;
  private failure: Error | undefined;
  private roomBytes = 0;
  private isAwaited = false;
  private changed = Promise.withResolvers<undefined>();

  /**
   * @param first document that was already taken from the query.
   * @param path path of the file to create.
   */
  constructor(
    private readonly query: RunningQuery,
    first: Uint8Array,
    private readonly path: string,
    private readonly limits: { room: ByteQuota; maxBytes: number },
  ) {
    this.filling = this.fill(first);
  }

  /**
   * Returns the next documents once they are available.
   * @throws the error that caused the query to fail.
   */
  async next(size: BatchSize): Promise<Batch> {
    try {
      return await this.nextBatch(size);
    } finally {
      // Bytes that were read ahead are discarded and read again later. A cursor therefore uses no
      // memory while it waits for its client.
      this.readBytes -= this.read.byteLength;
      this.read = Buffer.alloc(0);
    }
  }

  private async nextBatch(size: BatchSize): Promise<Batch> {
    const documents: Uint8Array[] = [];
    let bytes = 0;
    try {
      for (;;) {
        const next = this.held() ?? (await this.peek());
        if (next === undefined) return { documents, isLast: true };
        const elementBytes = getElementBytes(next, documents.length);
        const isFull = documents.length > 0 && bytes + elementBytes > size.bytes;
        if (isFull || documents.length >= size.documents) return { documents, isLast: false };
        documents.push(next);
        bytes += elementBytes;
        this.read = this.read.subarray(next.byteLength);
      }
    } catch (error) {
      // Documents that precede the failure are valid. The next request receives the error.
      if (documents.length === 0) throw error;
      return { documents, isLast: false };
    }
  }

  /** Stops the query and removes the file. */
  async close(): Promise<void> {
    await this.query.end();
    await this.filling;
    const file = this.file;
    this.file = undefined;
    this.failure ??= new MongoError('Interrupted', 'the cursor was closed');
    await file?.close();
    await rm(this.path, { force: true });
    this.limits.room.release(this.roomBytes);
    this.roomBytes = 0;
  }

  private async fill(first: Uint8Array): Promise<void> {
    try {
      this.file = await open(this.path, 'wx+', OWNER_ONLY_FILE);
      await this.writeAll(this.file, first);
    } catch (error) {
      this.failure = isDiskFull(error)
        ? new MongoError('OutOfDiskSpace', 'the disk has no space for the result of the query')
        : asError(error);
      await this.query.end();
    }
    this.isComplete = true;
    this.notifyChange();
  }

  private async writeAll(file: FileHandle, first: Uint8Array): Promise<void> {
    try {
      let document: Uint8Array | undefined = first;
      while (document !== undefined) {
        this.admit(document.byteLength);
        this.pending.push(document);
        this.pendingBytes += document.byteLength;
        if (this.pendingBytes >= FLUSH_BYTES || this.isAwaited) await this.flush(file);
        document = await this.query.next();
      }
    } finally {
      // Documents that precede a failure are valid.
      await this.flush(file);
    }
  }

  private admit(bytes: number): void {
    if (bytes > MAX_DOCUMENT_BYTES) {
      throw new MongoError('BSONObjectTooLarge', 'a document of the result is longer than 16 MiB');
    }
    if (this.roomBytes + bytes > this.limits.maxBytes || !this.limits.room.take(bytes)) {
      throw new MongoError(
        'ExceededMemoryLimit',
        'the result is too large to buffer until it is fetched: filter or project more, or set a limit',
      );
    }
    this.roomBytes += bytes;
  }

  private async flush(file: FileHandle): Promise<void> {
    const bytes = Buffer.concat(this.pending);
    this.pending = [];
    this.pendingBytes = 0;
    for (let written = 0; written < bytes.byteLength;) {
      const { bytesWritten } = await file.write(
        bytes,
        written,
        bytes.byteLength - written,
        this.writtenBytes,
      );
      written += bytesWritten;
      this.writtenBytes += bytesWritten;
    }
    this.notifyChange();
  }

  /** Returns the next document if all its bytes are buffered. */
  private held(): Uint8Array | undefined {
    const length = this.read.byteLength < LENGTH_BYTES ? Infinity : this.read.readInt32LE(0);
    return this.read.byteLength < length ? undefined : this.read.subarray(0, length);
  }

  private async peek(): Promise<Uint8Array | undefined> {
    if (!(await this.hold(LENGTH_BYTES))) return undefined;
    await this.hold(this.read.readInt32LE(0));
    return this.held();
  }

  /** Reads until a given number of bytes is buffered. Returns false at the end of the result. */
  private async hold(count: number): Promise<boolean> {
    while (this.read.byteLength < count) {
      const left = this.writtenBytes - this.readBytes;
      if (left > 0 && this.file !== undefined) {
        await this.readOn(this.file, Math.min(left, Math.max(READ_BYTES, count)));
      } else if (!this.isComplete) {
        await this.change();
      } else if (this.failure === undefined) {
        return false;
      } else {
        throw this.failure;
      }
    }
    return true;
  }

  private async readOn(file: FileHandle, count: number): Promise<void> {
    const chunk = Buffer.allocUnsafe(count);
    const { bytesRead } = await file.read(chunk, 0, count, this.readBytes);
    this.readBytes += bytesRead;
    this.read = Buffer.concat([this.read, chunk.subarray(0, bytesRead)]);
  }

  private async change(): Promise<void> {
    this.isAwaited = true;
    await this.changed.promise;
    this.isAwaited = false;
  }

  private notifyChange(): void {
    this.changed.resolve(undefined);
    this.changed = Promise.withResolvers();
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
