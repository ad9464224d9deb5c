import type { Readable } from 'node:stream';
import type { SignedUrlOptions } from '../objects/objectBucket';

/** Received bytes that have not been stored permanently yet. Disposal discards them. */
export interface IncomingBlob extends AsyncDisposable {
  /** SHA-256 hash of the bytes in hexadecimal, which is also the name of the blob in the store. */
  readonly hash: string;
  readonly size: number;
  /**
   * Does the work that takes long, so that `commit` is fast: uploads the bytes if other computers
   * store them. The blob must have been announced, so that it is deleted if it is never referenced.
   * @param generation generation that the announcement returned. If it has changed until the record
   *   is locked, the bytes must be prepared again.
   * @throws Unavailable if they can't be stored there, or the signal's reason.
   */
  prepare(generation: number, signal?: AbortSignal): Promise<void>;
  /** Stores the bytes durably under their final name. An existing blob has the same bytes. */
  commit(): Promise<void>;
}

/** A blob's digest and size. */
export interface BlobKey {
  /** SHA-256 hash in hexadecimal. */
  readonly hash: string;
  readonly size: number;
}

/** Response headers of a download. */
export type DownloadHeaders = Omit<SignedUrlOptions, 'expiresIn'>;

/** Byte range in a blob from `start` to `end`, inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Local file of a blob. A copy of an object isn't evicted until `unpin` is called. */
export interface PinnedFile {
  /** Path in the store's directory. */
  readonly path: string;
  unpin: () => void;
}

/**
 * Contents of captured data and packages, without the references to them.
 * `store/data/blobReferences.ts` maintains the references. Callers call `commit`, and `remove`
 * without a generation, only while no other code changes the references to the same bytes.
 */
export interface BlobStore {
  /** Directory of the files that `pinFile` returns. */
  readonly directory: string;
  /**
   * Receives any number of bytes in constant memory.
   * @throws errors from the stream, or `ENOSPC` if the disk is full; the received bytes are then
   *   deleted.
   */
  receive(chunks: AsyncIterable<Uint8Array>): Promise<IncomingBlob>;
  /**
   * Opens a stream of all bytes in a blob or range. A stream of all bytes verifies their digest
   * before the last chunk. A range is sent only if the blob's digest is correct, except for blobs in
   * a bucket that are too large for the cache.
   * @returns undefined if the blob has no file.
   * @throws DamagedBlobError if the file contains different bytes. The error is thrown here or while the
   *   stream is read.
   */
  open(blob: BlobKey, range?: ByteRange): Promise<Readable | undefined>;
  /**
   * Returns a URL from which anyone can download a blob for a few minutes, if the blob is large, is
   * in a bucket, and clients can reach the bucket. The service doesn't check the downloaded bytes.
   * @returns undefined if the blob must be read with `open`.
   */
  createDownloadUrl(blob: BlobKey, headers: DownloadHeaders): Promise<string | undefined>;
  /**
   * Reads all of a blob's bytes.
   * @returns undefined if the blob has no file.
   * @throws DamagedBlobError if the file contains different bytes.
   */
  read(blob: BlobKey): Promise<Uint8Array | undefined>;
  /**
   * Returns a local file whose digest was checked, however large it is.
   * @returns undefined if the blob has no file.
   * @throws DamagedBlobError if the file contains different bytes; from a bucket, also Unavailable if it
   *   doesn't respond, and ResourceExhausted if the disk is full.
   */
  pinFile(blob: BlobKey): Promise<PinnedFile | undefined>;
  /**
   * Reads the stored bytes completely. In a bucket, this also replaces a local copy.
   * @returns false if the blob has no file.
   * @throws DamagedBlobError if the file contains different bytes; from a bucket, Unavailable.
   */
  verify(blob: BlobKey): Promise<boolean>;
  /** Returns the size of a blob's file in bytes; undefined if it has no file. */
  size(hash: string): Promise<number | undefined>;
  /**
   * Deletes a blob; does nothing if it doesn't exist.
   * @param generation in a bucket, only earlier generations of the blob are deleted.
   */
  remove(hash: string, generation?: number): Promise<void>;
  /** Deletes the parts of uploads that were started before a time and never finished. */
  removeUnfinished(startedBefore: Date): Promise<void>;
  /** Closes the store, and deletes it if it is temporary. */
  close(): Promise<void>;
}
