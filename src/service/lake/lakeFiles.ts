import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { deserialize } from 'bson';
import { forEachBounded } from '../../base/bounded';
import { DamagedBlobError } from '../blobs/blobChecks';
import type { BlobCollector } from '../blobs/blobCollector';
import type { BlobStore } from '../blobs/blobStore';
import { storeContents } from '../blobs/storeContent';
import type { DamagedFile, JobRunner } from '../query/queryJob';
import type { LakeFileRow } from '../store/data/dataSchema';
import { NotListedError } from '../store/data/lakeManifest';
import type { Store, StoreAccess } from '../store/store';
import { FileRefCounts, type LakeFolder } from './lakeFolder';

/** Local copies of listed files, which exist until the disposal. */
export interface LocalFiles extends AsyncDisposable {
  directory: string;
  /** Paths in the directory, in the order of the files. */
  names: readonly string[];
}

/** Lists files in a transaction. Throws `NotListedError` to roll it back. */
export type ListFiles = (access: StoreAccess, files: readonly LakeFileRow[]) => Promise<void>;

/** Storage of the files in a lake's catalog. */
export interface LakeFiles {
  /** ID of the catalog in the records. */
  readonly catalogId: string;
  /** True if other services add files to the catalog and remove files from it. */
  readonly isShared: boolean;
  /**
   * Stores files that a job has written to the organization's folder, and lists them. Files that
   * aren't listed are removed.
   * @returns false if `list` has thrown `NotListedError`.
   */
  publish(
    organizationId: string,
    files: readonly LakeFileRow[],
    list: ListFiles,
    signal: AbortSignal,
  ): Promise<boolean>;
  /**
   * Opens listed files for reading.
   * @throws UnreadableFileError if a file is missing or damaged; Unavailable if it can't be
   *   downloaded.
   */
  open(organizationId: string, files: readonly LakeFileRow[]): Promise<LocalFiles>;
  /** Removes files that are no longer listed when they are no longer being read. */
  discard(organizationId: string, names: readonly string[]): Promise<void>;
  /** Reads files completely and returns the names of those that are missing or damaged. */
  findDamaged(
    organizationId: string,
    files: readonly LakeFileRow[],
    signal: AbortSignal,
  ): Promise<string[]>;
  /** Releases the resources of a deleted organization. */
  organizationDeleted(organizationId: string): void;
}

/** Error for a listed file that is missing or damaged. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';

  constructor(readonly fileName: string) {
    super(`the file ${fileName} is missing or damaged`);
  }
}

/** Files in a folder that only this process uses. */
export class FolderFiles implements LakeFiles {
  readonly isShared = false;
  private readonly refCounts = new Map<string, FileRefCounts>();

  constructor(
    private readonly store: Store,
    private readonly runner: JobRunner,
    private readonly folder: LakeFolder,
  ) {}

  get catalogId(): string {
    return this.folder.folderId;
  }

  async publish(
    organizationId: string,
    files: readonly LakeFileRow[],
    list: ListFiles,
  ): Promise<boolean> {
    try {
      await this.store.transaction().execute((transaction) => list(transaction, files));
      return true;
    } catch (error) {
      // If the response was lost, the store might list the files. In that case, the files are kept,
      // and the next start determines whether they are needed.
      if (!(error instanceof NotListedError)) throw error;
      await this.folder.remove(
        organizationId,
        files.map(({ name }) => name),
      );
      return false;
    }
  }

  open(organizationId: string, files: readonly LakeFileRow[]): Promise<LocalFiles> {
    const names = files.map(({ name }) => name);
    const hold = this.getRefCounts(organizationId).acquire(names);
    return Promise.resolve({
      directory: this.folder.of(organizationId),
      names,
      [Symbol.asyncDispose]: () => hold[Symbol.asyncDispose](),
    });
  }

  discard(organizationId: string, names: readonly string[]): Promise<void> {
    return this.getRefCounts(organizationId).discard(names);
  }

  async findDamaged(
    organizationId: string,
    files: readonly LakeFileRow[],
    signal: AbortSignal,
  ): Promise<string[]> {
    const wrong = await this.folder.findWrongSizes(organizationId, files);
    if (wrong.length > 0) return wrong;
    const job = {
      kind: 'check',
      directory: this.folder.of(organizationId),
      files: files.map(({ name }) => name),
    } as const;
    for await (const document of this.runner.run(job, signal)) {
      wrong.push((deserialize(document) as DamagedFile).name);
    }
    return wrong;
  }

  organizationDeleted(organizationId: string): void {
    this.refCounts.delete(organizationId);
  }

  private getRefCounts(organizationId: string): FileRefCounts {
    const known = this.refCounts.get(organizationId);
    if (known !== undefined) return known;
    const made = new FileRefCounts((name) => this.folder.remove(organizationId, [name]));
    this.refCounts.set(organizationId, made);
    return made;
  }
}

/** Store for files that are blobs like other contents. */
export interface LakeContents {
  blobs: BlobStore;
  collector: BlobCollector;
}

/** Maximum number of files that are downloaded at a time. */
const MAX_DOWNLOADS = 8;

/**
 * Files that are blobs: immutable, named by their hashes, and in a bucket shared by all services of a
 * fleet. The collector deletes them when they are no longer listed. In a bucket, a query reads local
 * copies, which are pinned, so deletions don't affect it. In a folder, files are deleted when they
 * are no longer being read.
 */
export class BlobFiles implements LakeFiles {
  readonly isShared = true;
  private readonly refCounts = new FileRefCounts((name) => this.contents.collector.collect([name]));

  constructor(
    readonly catalogId: string,
    private readonly store: Store,
    /** Folder for the files that jobs write before they are stored. */
    private readonly folder: LakeFolder,
    private readonly contents: LakeContents,
  ) {
    contents.collector.skipIf((hash) => this.refCounts.deferRemoval(hash));
  }

  async publish(
    organizationId: string,
    files: readonly LakeFileRow[],
    list: ListFiles,
    signal: AbortSignal,
  ): Promise<boolean> {
    const contents = files.map(({ name }) => this.readLazily(organizationId, name));
    try {
      await storeContents(
        { store: this.store, ...this.contents },
        contents,
        signal,
        (access, stored) =>
          list(
            access,
            files.map((file, index) => {
              const { hash = '', size = 0 } = stored[index] ?? {};
              return { ...file, name: hash, blob_hash: hash, byte_count: size };
            }),
          ),
      );
      return true;
    } catch (error) {
      if (!(error instanceof NotListedError)) throw error;
      return false;
    } finally {
      await this.folder.remove(
        organizationId,
        files.map(({ name }) => name),
      );
    }
  }

  async open(_organizationId: string, files: readonly LakeFileRow[]): Promise<LocalFiles> {
    const { blobs } = this.contents;
    const names = new Map<string, string>();
    await using resources = new AsyncDisposableStack();
    resources.use(this.refCounts.acquire(files.map(({ name }) => name)));
    await forEachBounded(files, MAX_DOWNLOADS, async ({ name, byte_count: size }) => {
      const file = await blobs.pinFile({ hash: name, size }).catch((error: unknown) => {
        throw error instanceof DamagedBlobError ? new UnreadableFileError(name) : error;
      });
      if (file === undefined) throw new UnreadableFileError(name);
      resources.defer(file.unpin);
      names.set(name, file.path);
    });
    const moved = resources.move();
    return {
      directory: blobs.directory,
      names: files.map(({ name }) => names.get(name) ?? ''),
      [Symbol.asyncDispose]: () => moved.disposeAsync(),
    };
  }

  // With a bucket, the collector finds later that nothing refers to them.
  discard(_organizationId: string, names: readonly string[]): Promise<void> {
    return this.refCounts.discard(names);
  }

  async findDamaged(_organizationId: string, files: readonly LakeFileRow[]): Promise<string[]> {
    const { blobs } = this.contents;
    const damaged: string[] = [];
    await forEachBounded(files, MAX_DOWNLOADS, async ({ name, byte_count: size }) => {
      try {
        if (!(await blobs.verify({ hash: name, size }))) damaged.push(name);
      } catch (error) {
        if (!(error instanceof DamagedBlobError)) throw error;
        damaged.push(name);
      }
    });
    return damaged;
  }

  organizationDeleted(): void {
    // Nothing is in memory.
  }

  // Opens a file only when its turn comes, because there can be thousands.
  private async *readLazily(organizationId: string, name: string): AsyncGenerator<Uint8Array> {
    yield* createReadStream(
      join(this.folder.of(organizationId), name),
    ) as AsyncIterable<Uint8Array>;
  }
}
