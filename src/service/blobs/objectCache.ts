import { DiskSpace } from '../store/diskReserve';
import type { BlobStore } from './blobStore';
import { listBlobFiles, makeBlobDirectory, type StoredBlob } from './fileBlobStore';

interface Entry {
  readonly size: number;
  pins: number;
}

/** Disk space in bytes that the cache leaves free for incoming contents. */
const FREE_BYTES = 256 * 1024 * 1024;

/**
 * LRU cache of a bucket's objects in local files. Pinned files are not evicted, so the cache can
 * exceed its size by the contents that are in use.
 */
export class ObjectCache {
  /** Entries by hash, least recently used first. */
  private readonly entries = new Map<string, Entry>();
  private readonly removals = new Map<string, Promise<void>>();
  private bytes = 0;

  private constructor(
    private readonly directory: string,
    private readonly files: BlobStore,
    readonly maxBytes: number,
  ) {}

  /** Finds the files that earlier processes cached in a directory, oldest first. */
  static async open(directory: string, files: BlobStore, maxBytes: number): Promise<ObjectCache> {
    const cache = new ObjectCache(directory, files, maxBytes);
    const blobs: StoredBlob[] = [];
    for await (const blob of listBlobFiles(directory)) blobs.push(blob);
    blobs.sort((a, b) => a.modifiedAt.getTime() - b.modifiedAt.getTime());
    for (const { hash, size } of blobs) cache.insert(hash, { size, pins: 0 });
    await cache.makeRoom(0);
    return cache;
  }

  /**
   * Pins a cached file, so that it isn't evicted until the returned function is called.
   * @returns undefined if the file isn't cached.
   */
  pin(hash: string): (() => void) | undefined {
    const entry = this.entries.get(hash);
    if (entry === undefined) return undefined;
    this.entries.delete(hash);
    this.entries.set(hash, entry);
    return this.pinEntry(entry);
  }

  /** Adds and pins a file that the caller is about to create. */
  async add(hash: string, size: number): Promise<() => void> {
    for (let removal; (removal = this.removals.get(hash)) !== undefined;) await removal;
    const pinned = this.pin(hash);
    if (pinned !== undefined) return pinned;
    const entry = { size, pins: 0 };
    this.insert(hash, entry);
    return this.pinEntry(entry);
  }

  /** Deletes a cached file unless it is pinned. */
  async remove(hash: string): Promise<void> {
    const entry = this.entries.get(hash);
    if (entry === undefined || entry.pins > 0) return;
    this.entries.delete(hash);
    this.bytes -= entry.size;
    const removal = this.files.remove(hash).finally(() => this.removals.delete(hash));
    this.removals.set(hash, removal);
    await removal;
  }

  /**
   * Evicts files until another file of this size fits into the cache and on the disk. Creates the
   * cache's directory again if it was deleted.
   */
  async makeRoom(size: number): Promise<void> {
    await makeBlobDirectory(this.directory);
    for (const [hash, { pins }] of this.entries) {
      const fits = this.bytes + size <= this.maxBytes;
      // Measures again in each iteration, because each eviction changes the free space.
      const space = new DiskSpace(this.directory);
      if (fits && (await space.hasRoom(size + FREE_BYTES))) return;
      if (pins === 0) await this.remove(hash);
    }
  }

  private insert(hash: string, entry: Entry): void {
    this.entries.set(hash, entry);
    this.bytes += entry.size;
  }

  private pinEntry(entry: Entry): () => void {
    entry.pins += 1;
    let isPinned = true;
    return () => {
      if (isPinned) entry.pins -= 1;
      isPinned = false;
    };
  }
}
