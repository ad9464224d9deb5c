import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { BlobKey, BlobStore, ByteRange } from '../../src/service/blobs/blobStore';
import { blobPath, listBlobFiles, openFileBlobStore } from '../../src/service/blobs/fileBlobStore';
import { objectKey, openObjectBlobStore } from '../../src/service/blobs/objectBlobStore';
import {
  type ObjectBucket,
  type ObjectsLocation,
  parseObjectsUrl,
} from '../../src/service/objects/objectBucket';
import { openObjectBucket } from '../../src/service/objects/openObjectBucket';
import type { TestObjectStore } from './objectStore';

const MEBIBYTE = 1024 * 1024;

/** A store of either kind, and access to what it stores. */
export interface BlobFixture {
  blobs: BlobStore;
  /** Opens the store again, as another process on another computer would. */
  reopen(): Promise<void>;
  overwrite(hash: string, bytes: Uint8Array): Promise<void>;
  countStored(): Promise<number>;
  close(): Promise<void>;
}

const makeFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'fleetwright-test-'));

/** Opens a store in a temporary directory. */
export async function openFileFixture(): Promise<BlobFixture> {
  const folder = await makeFolder();
  const fixture = {
    blobs: await openFileBlobStore(folder),
    async reopen() {
      fixture.blobs = await openFileBlobStore(folder);
    },
    overwrite: (hash: string, bytes: Uint8Array) => writeFile(join(folder, blobPath(hash)), bytes),
    async countStored() {
      let count = 0;
      for await (const { size } of listBlobFiles(folder)) count += Number(size >= 0);
      return count;
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
  return fixture;
}

/** Blobs in a bucket of its own. */
export class BucketFixture implements BlobFixture {
  private readonly folders: string[] = [];
  blobs!: BlobStore;
  bucket!: ObjectBucket;
  folder!: string;

  private constructor(
    readonly location: ObjectsLocation,
    private readonly cacheBytes: number,
  ) {}

  static async open(server: TestObjectStore, cacheBytes = 1024 * MEBIBYTE) {
    const location = parseObjectsUrl(await server.createBucket());
    assert.ok(typeof location === 'object');
    return BucketFixture.openAt(location, cacheBytes);
  }

  static async openAt(location: ObjectsLocation, cacheBytes: number): Promise<BucketFixture> {
    const fixture = new BucketFixture(location, cacheBytes);
    await fixture.reopen();
    return fixture;
  }

  async reopen(folder?: string): Promise<void> {
    this.bucket = await openObjectBucket(this.location);
    this.folder = folder ?? (await makeFolder());
    this.folders.push(this.folder);
    const options = { cacheDirectory: this.folder, cacheBytes: this.cacheBytes };
    this.blobs = await openObjectBlobStore({ bucket: this.bucket, ...options });
  }

  async overwrite(hash: string, bytes: Uint8Array): Promise<void> {
    await this.bucket.put(objectKey(hash), Readable.from([bytes]), bytes.length);
    await this.reopen();
  }

  async countStored(): Promise<number> {
    let count = 0;
    for await (const { key } of this.bucket.list()) count += Number(key.startsWith('blobs/'));
    return count;
  }

  async countCached(): Promise<number> {
    let count = 0;
    for await (const { size } of listBlobFiles(this.folder)) count += Number(size >= 0);
    return count;
  }

  async close(): Promise<void> {
    await this.blobs.close();
    for (const folder of this.folders) await rm(folder, { recursive: true, force: true });
  }
}

/** Yields bytes in chunks of the given size. */
export async function* toChunks(bytes: Uint8Array, size = 100_000): AsyncIterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) {
    yield await Promise.resolve(bytes.subarray(start, start + size));
  }
}

/** Stores bytes without a record. */
export async function storeBlob(
  blobs: BlobStore,
  bytes: Uint8Array,
  chunkSize?: number,
): Promise<BlobKey> {
  await using incoming = await blobs.receive(toChunks(bytes, chunkSize));
  await incoming.prepare(0);
  await incoming.commit();
  return { hash: incoming.hash, size: incoming.size };
}

/** Reads a blob or a range that must exist. */
export async function readAll(blobs: BlobStore, blob: BlobKey, range?: ByteRange): Promise<Buffer> {
  const stream = await blobs.open(blob, range);
  assert.ok(stream);
  return buffer(stream);
}
