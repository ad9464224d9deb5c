import type { Readable } from 'node:stream';

/** Bytes that arrived and are kept by nobody yet; disposing of them discards them. */
export interface IncomingBlob extends AsyncDisposable {
  /** SHA-256 of the bytes in hexadecimal, by which the store names them. */
  readonly hash: string;
  readonly size: number;
  /** Gives the bytes their name. They are durable then; bytes that are there already stay. */
  keep(): Promise<void>;
}

/** A blob by the digest and the number of its bytes. */
export interface BlobKey {
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  readonly size: number;
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
   * Opens a stream of the bytes of a blob, all or a range of them. A stream of all bytes compares their
   * digest before its last chunk; a range is sent only of a blob whose digest is right.
   * @returns undefined when there is no file for the blob.
   * @throws DamagedBlob for a file with other bytes, here or while the stream is read.
   */
  open(blob: BlobKey, range?: ByteRange): Promise<Readable | undefined>;
  /**
   * Reads all bytes of a blob.
   * @returns undefined when there is no file for the blob.
   * @throws DamagedBlob for a file with other bytes.
   */
  read(blob: BlobKey): Promise<Uint8Array | undefined>;
  /** Returns the size of a blob's file in bytes; undefined when there is no file for it. */
  size(hash: string): Promise<number | undefined>;
  /** Frees the room of a blob; one that is not there is gone already. */
  remove(hash: string): Promise<void>;
  /** Ends a store that lives as long as its process. */
  close(): Promise<void>;
}
