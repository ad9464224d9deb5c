import type { Readable } from 'node:stream';

/** Received bytes that aren't kept yet; disposal discards them. */
export interface IncomingBlob extends AsyncDisposable {
  /** SHA-256 of the bytes in hexadecimal, by which the store names them. */
  readonly hash: string;
  readonly size: number;
  /** Gives the bytes their name, which makes them durable; an existing blob stays. */
  keep(): Promise<void>;
}

/** Digest and size of a blob. */
export interface BlobKey {
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  readonly size: number;
}

/** Byte range of a blob from `start` to `end`, inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Contents of captured data and of packages. Independent of the references to them:
 * `store/data/blobReferences.ts` maintains those, and calls `keep` and `remove` only while nothing
 * else changes the references to the same bytes.
 */
export interface BlobStore {
  /**
   * Receives bytes in constant memory, regardless of their number.
   * @throws errors of the stream, with nothing left behind; `ENOSPC` if the disk is full.
   */
  receive(chunks: AsyncIterable<Uint8Array>): Promise<IncomingBlob>;
  /**
   * Opens a stream of the bytes of a blob, all or a range of them. A stream of all bytes verifies
   * their digest before its last chunk; a range is sent only if the blob's digest is correct.
   * @returns undefined if the blob has no file.
   * @throws DamagedBlob for a file with other bytes, here or while the stream is read.
   */
  open(blob: BlobKey, range?: ByteRange): Promise<Readable | undefined>;
  /**
   * Reads all bytes of a blob.
   * @returns undefined if the blob has no file.
   * @throws DamagedBlob for a file with other bytes.
   */
  read(blob: BlobKey): Promise<Uint8Array | undefined>;
  /** Returns the size of a blob's file in bytes; undefined if it has no file. */
  size(hash: string): Promise<number | undefined>;
  /** Deletes a blob; does nothing if it doesn't exist. */
  remove(hash: string): Promise<void>;
  /** Closes a store whose lifetime is that of its process. */
  close(): Promise<void>;
}
