import type { Readable } from 'node:stream';

/** Bytes that arrived and are kept by nobody yet; disposing of them discards them. */
export interface IncomingBlob extends AsyncDisposable {
  /** SHA-256 of the bytes in hexadecimal, by which the store names them. */
  readonly hash: string;
  readonly size: number;
  /** Gives the bytes their name. They are durable then; bytes that are there already stay. */
  keep(): Promise<void>;
}

/** Bytes of a blob from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Contents of captured data and of packages. It knows nothing of who refers to them: `store/data/blobReferences.ts`
 * does, and calls `keep` and `remove` while nobody else decides about the same bytes.
 */
export interface BlobStore {
  /**
   * Takes bytes in, in constant memory however many they are.
   * @throws what the stream throws, with nothing left behind; `ENOSPC` when there is no room.
   */
  receive(chunks: AsyncIterable<Uint8Array>): Promise<IncomingBlob>;
  /**
   * The bytes of a blob as a stream, all or a range of them.
   * @returns undefined when there is no such blob (any more).
   */
  open(hash: string, range?: ByteRange): Promise<Readable | undefined>;
  /** All bytes of a blob; undefined when there is no such blob (any more). */
  read(hash: string): Promise<Uint8Array | undefined>;
  /** How many bytes of a blob are there; undefined when there is no such blob (any more). */
  size(hash: string): Promise<number | undefined>;
  /** Frees the room of a blob; one that is not there is gone already. */
  remove(hash: string): Promise<void>;
  /** Ends a store that lives as long as its process. */
  close(): Promise<void>;
}
