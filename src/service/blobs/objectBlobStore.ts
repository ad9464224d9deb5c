import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Code, ConnectError } from '@connectrpc/connect';
import { LongWork } from '../../base/longWork';
import { exhausted, unavailable } from '../errors';
import type { ObjectBucket } from '../objects/objectBucket';
import { isDiskFull } from '../store/storeErrors';
import { BlobChecks, DamagedBlobError, requireDigest, requireSize } from './blobChecks';
import type {
  BlobKey,
  BlobStore,
  ByteRange,
  DownloadHeaders,
  IncomingBlob,
  PinnedFile,
} from './blobStore';
import { blobPath, type FileBlobStore, openFileBlobStore } from './fileBlobStore';
import { ObjectCache } from './objectCache';

/** Folder of the contents in a bucket. Objects have the same names as files of a file store. */
const CONTENTS_PREFIX = 'blobs/';
const OBJECT_KEY = /^blobs\/([0-9a-f]{2})\/([0-9a-f]{62})(?:\.(\d+))?$/;
/** Contents larger than this fraction of the cache are not cached. */
const MAX_CACHED_FRACTION = 1 / 4;
/** Maximum number of concurrent uploads, each of which has a few parts in memory. */
const MAX_UPLOADS = 4;
/** Number of downloads before bytes with a different hash count as damaged rather than garbled. */
const DOWNLOAD_ATTEMPTS = 2;
/** Minimum size of contents that clients download from the bucket. */
const MIN_DIRECT_BYTES = 8 * 1024 * 1024;
/** Time for which the URL of a download is valid. A download that has started can take longer. */
const DOWNLOAD_URL_SECONDS = 300;

/**
 * Returns the key of a blob's object. An upload after a deletion has a later generation, whose key
 * no delayed request of the deletion contains.
 */
export function objectKey(hash: string, generation = 0): string {
  const key = CONTENTS_PREFIX + blobPath(hash).replaceAll('\\', '/');
  return generation === 0 ? key : `${key}.${String(generation)}`;
}

/** Returns the blob that an object contains, and its generation; undefined for other objects. */
export function parseObjectKey(key: string): { hash: string; generation: number } | undefined {
  const [, folder, rest, generation = '0'] = OBJECT_KEY.exec(key) ?? [];
  if (folder === undefined || rest === undefined) return undefined;
  return { hash: folder + rest, generation: Number(generation) };
}

async function listGenerations(bucket: ObjectBucket, hash: string): Promise<number[]> {
  const generations: number[] = [];
  for await (const { key } of bucket.list(objectKey(hash))) {
    const parsed = parseObjectKey(key);
    if (parsed !== undefined) generations.push(parsed.generation);
  }
  return generations;
}

/**
 * Calls a function with the key of a blob's object, and with that of its last generation if the
 * function returns undefined because there is no object with the usual key.
 */
export async function withObject<T>(
  bucket: ObjectBucket,
  hash: string,
  read: (key: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  const found = await read(objectKey(hash));
  if (found !== undefined) return found;
  const last = Math.max(0, ...(await listGenerations(bucket, hash)));
  return last === 0 ? undefined : read(objectKey(hash, last));
}

export interface ObjectBlobsOptions {
  bucket: ObjectBucket;
  /** Directory of the cache, which only this process uses. */
  cacheDirectory: string;
  /** Maximum size of the cache, which contents that are in use can exceed. */
  cacheBytes: number;
  /** Runs the hashing of contents. */
  longWork?: LongWork;
}

/** Opens the blobs in a bucket that other services can use at the same time. */
export async function openObjectBlobStore({
  bucket,
  cacheDirectory,
  cacheBytes,
  longWork = new LongWork(),
}: ObjectBlobsOptions): Promise<ObjectBlobStore> {
  const files = await openFileBlobStore(cacheDirectory, longWork);
  const cache = await ObjectCache.open(cacheDirectory, files, cacheBytes);
  return new ObjectBlobStore(bucket, files, cache, cacheDirectory);
}

/**
 * Stores blobs as objects named after the hash of their bytes. Received bytes are written to a local
 * file first, so their hash is known before the upload, and an upload can be repeated. Reads use
 * local copies, whose digests are checked.
 */
export class ObjectBlobStore implements BlobStore {
  private readonly remoteChecks = new BlobChecks();
  private readonly downloads = new Map<string, Promise<boolean>>();
  private readonly waitingUploads: PromiseWithResolvers<undefined>[] = [];
  private freeUploads = MAX_UPLOADS;

  constructor(
    private readonly bucket: ObjectBucket,
    private readonly files: FileBlobStore,
    private readonly cache: ObjectCache,
    readonly directory: string,
  ) {}

  async receive(chunks: AsyncIterable<Uint8Array>): Promise<IncomingBlob> {
    await this.cache.makeRoom(0);
    const incoming = await this.files.receive(chunks);
    const { hash, size } = incoming;
    let isUploaded = false;
    let unpin: (() => void) | undefined;
    const upload = async (generation: number, signal?: AbortSignal): Promise<void> => {
      const body = await this.files.open({ hash, size });
      if (body === undefined) throw unavailable('the received bytes were deleted: try again');
      await this.bucket.put(objectKey(hash, generation), body, size, signal);
    };
    return {
      hash,
      size,
      prepare: async (generation, signal) => {
        if (unpin === undefined) {
          await this.cache.makeRoom(size);
          unpin = await this.cache.add(hash, size);
          await incoming.commit();
        }
        await this.limitUploads(() => upload(generation, signal));
        isUploaded = true;
      },
      commit: () => Promise.resolve(),
      [Symbol.asyncDispose]: async () => {
        await incoming[Symbol.asyncDispose]();
        if (unpin === undefined) return;
        unpin();
        if (!isUploaded) await this.cache.remove(hash);
      },
    };
  }

  async open(blob: BlobKey, range?: ByteRange): Promise<Readable | undefined> {
    const cached = await this.openCached(blob, range);
    if (cached !== undefined) return cached;
    if (blob.size > this.cache.maxBytes * MAX_CACHED_FRACTION) {
      return this.openRemote(blob, range);
    }
    if (!(await this.download(blob))) return undefined;
    return (await this.openCached(blob, range)) ?? this.openRemote(blob, range);
  }

  async createDownloadUrl(blob: BlobKey, headers: DownloadHeaders): Promise<string | undefined> {
    const { bucket } = this;
    if (!bucket.isPublic || blob.size < MIN_DIRECT_BYTES) return undefined;
    try {
      return await withObject(bucket, blob.hash, async (key) =>
        // An object of another size is damaged, which `open` reports unless there is a local copy.
        (await bucket.size(key)) === blob.size
          ? bucket.signUrl(key, { ...headers, expiresIn: DOWNLOAD_URL_SECONDS })
          : undefined,
      );
    } catch (error) {
      // There can be a local copy.
      if (error instanceof ConnectError && error.code === Code.Unavailable) return undefined;
      throw error;
    }
  }

  async pinFile(blob: BlobKey): Promise<PinnedFile | undefined> {
    // Pins the copy before it exists, so that no other download evicts it.
    const unpin = await this.cache.add(blob.hash, blob.size);
    try {
      const path = (await this.findCached(blob)) ?? (await this.downloadFile(blob));
      if (path !== undefined) return { path, unpin };
    } catch (error) {
      unpin();
      await this.cache.remove(blob.hash);
      throw error;
    }
    unpin();
    await this.cache.remove(blob.hash);
    return undefined;
  }

  verify(blob: BlobKey): Promise<boolean> {
    return this.download(blob);
  }

  async read(blob: BlobKey): Promise<Uint8Array | undefined> {
    const stream = await this.open(blob);
    return stream && buffer(stream);
  }

  size(hash: string): Promise<number | undefined> {
    return withObject(this.bucket, hash, (key) => this.bucket.size(key));
  }

  async remove(hash: string, generation = Number.POSITIVE_INFINITY): Promise<void> {
    for (const stored of await listGenerations(this.bucket, hash)) {
      if (stored < generation) await this.bucket.remove(objectKey(hash, stored));
    }
    await this.cache.remove(hash);
  }

  removeUnfinished(startedBefore: Date): Promise<void> {
    return this.bucket.removeUnfinished(startedBefore);
  }

  async close(): Promise<void> {
    this.bucket.close();
    await this.files.close();
  }

  /** @returns undefined if there is no undamaged local copy. */
  private async openCached(blob: BlobKey, range?: ByteRange): Promise<Readable | undefined> {
    const unpin = this.cache.pin(blob.hash);
    if (unpin === undefined) return undefined;
    try {
      const stream = await this.files.open(blob, range);
      if (stream === undefined) unpin();
      // The next reader gets the object again if the copy turns out to be damaged.
      stream?.once('close', unpin);
      return stream;
    } catch (error) {
      unpin();
      if (error instanceof DamagedBlobError) return undefined;
      throw error;
    }
  }

  /** @returns undefined if there is no undamaged local copy. */
  private async findCached(blob: BlobKey): Promise<string | undefined> {
    try {
      return await this.files.findUndamaged(blob);
    } catch (error) {
      if (error instanceof DamagedBlobError) return undefined;
      throw error;
    }
  }

  /** @returns undefined if the object doesn't exist. */
  private async downloadFile(blob: BlobKey): Promise<string | undefined> {
    if (!(await this.download(blob))) return undefined;
    const path = await this.findCached(blob);
    if (path !== undefined) return path;
    throw exhausted(
      'the disk of the fleet service is full: free space on it, or set a smaller --objects-cache-size',
    );
  }

  /** Opens an object that isn't cached. The server is trusted with ranges. */
  private async openRemote(blob: BlobKey, range?: ByteRange): Promise<Readable | undefined> {
    const object = await withObject(this.bucket, blob.hash, (key) => this.bucket.get(key, range));
    if (object === undefined) return undefined;
    requireObjectSize(blob, object);
    return range === undefined
      ? this.remoteChecks.verifyStream(blob, '', object.body)
      : object.body;
  }

  /**
   * Copies an object to the cache, even if a copy is there. Concurrent callers share one download. If
   * the disk is full, the object isn't cached.
   * @returns false if the object doesn't exist.
   * @throws DamagedBlobError if the object is damaged; Unavailable if the bucket doesn't respond.
   */
  private download(blob: BlobKey): Promise<boolean> {
    const running = this.downloads.get(blob.hash);
    if (running !== undefined) return running;
    const download = this.downloadOnce(blob).finally(() => this.downloads.delete(blob.hash));
    this.downloads.set(blob.hash, download);
    return download;
  }

  private async downloadOnce(blob: BlobKey, attempts = DOWNLOAD_ATTEMPTS): Promise<boolean> {
    await this.cache.makeRoom(blob.size);
    const object = await withObject(this.bucket, blob.hash, (key) => this.bucket.get(key));
    if (object === undefined) return false;
    requireObjectSize(blob, object);
    try {
      await using incoming = await this.files.receive(object.body);
      requireDigest(blob, incoming.hash);
      const unpin = await this.cache.add(blob.hash, blob.size);
      await incoming.commit().finally(unpin);
    } catch (error) {
      if (error instanceof DamagedBlobError && attempts > 1) {
        return await this.downloadOnce(blob, attempts - 1);
      }
      if (!isDiskFull(error)) throw error;
    } finally {
      object.body.destroy();
    }
    return true;
  }

  private async limitUploads(upload: () => Promise<void>): Promise<void> {
    if (this.freeUploads > 0) this.freeUploads -= 1;
    else await this.waitForUpload();
    try {
      await upload();
    } catch (error) {
      // Otherwise, each waiting upload would have to time out itself, a few at a time.
      if (error instanceof ConnectError && error.code === Code.Unavailable) {
        for (const { reject } of this.waitingUploads.splice(0)) reject(error);
      }
      throw error;
    } finally {
      const next = this.waitingUploads.shift();
      if (next === undefined) this.freeUploads += 1;
      else next.resolve(undefined);
    }
  }

  private waitForUpload(): Promise<undefined> {
    const waiting = Promise.withResolvers<undefined>();
    this.waitingUploads.push(waiting);
    return waiting.promise;
  }
}

function requireObjectSize(blob: BlobKey, { size, body }: { size: number; body: Readable }): void {
  try {
    requireSize(blob, size);
  } catch (error) {
    body.destroy();
    throw error;
  }
}
