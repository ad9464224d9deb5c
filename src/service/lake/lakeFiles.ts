import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { deserialize } from 'bson';
import { forEachBounded } from '../../base/bounded';
import { DamagedBlob } from '../blobs/blobChecks';
import type { BlobCollector } from '../blobs/blobCollector';
import type { ObjectBlobStore } from '../blobs/objectBlobStore';
import { storeContents } from '../blobs/storeContent';
import type { DamagedFile, JobRunner } from '../query/queryJob';
import type { LakeFileRow } from '../store/data/dataSchema';
import { BUCKET_CATALOG, NotListedError } from '../store/data/lakeManifest';
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

/** Bucket with a lake's files, which are blobs like other contents. */
export interface LakeObjects {
  blobs: ObjectBlobStore;
  collector: BlobCollector;
}

/** Maximum number of files that are downloaded at a time. */
const MAX_DOWNLOADS = 8;

/**
 * Files in a bucket that the services of a fleet share. Each file is a blob, which is immutable and
 * named by its hash. The collector deletes it after the grace period when it is no longer listed. A
 * query reads local copies, which are pinned, so deletions don't affect it.
 */
export class BucketFiles implements LakeFiles {
  readonly catalogId = BUCKET_CATALOG;
  readonly isShared = true;

  constructor(
    private readonly store: Store,
    /** Folder for the files that jobs write before they are uploaded. */
    private readonly folder: LakeFolder,
    private readonly objects: LakeObjects,
  ) {}

  async publish(
    organizationId: string,
    files: readonly LakeFileRow[],
    list: ListFiles,
    signal: AbortSignal,
  ): Promise<boolean> {
    const contents = files.map(({ name }) => this.readLazily(organizationId, name));
    try {
      await storeContents(
        { store: this.store, ...this.objects },
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
    const { blobs } = this.objects;
    const names = new Map<string, string>();
    const pins = new DisposableStack();
    try {
      await forEachBounded(files, MAX_DOWNLOADS, async ({ name, byte_count: size }) => {
        const file = await blobs.pinFile({ hash: name, size }).catch((error: unknown) => {
          throw error instanceof DamagedBlob ? new UnreadableFileError(name) : error;
        });
        if (file === undefined) throw new UnreadableFileError(name);
        pins.defer(file.unpin);
        names.set(name, file.path);
      });
    } catch (error) {
      pins.dispose();
      throw error;
    }
    return {
      directory: blobs.cacheDirectory,
      names: files.map(({ name }) => names.get(name) ?? ''),
      [Symbol.asyncDispose]: () => {
        pins.dispose();
        return Promise.resolve();
      },
    };
  }

  // The collector finds that nothing refers to them.
  discard(): Promise<void> {
    return Promise.resolve();
  }

  async findDamaged(_organizationId: string, files: readonly LakeFileRow[]): Promise<string[]> {
    const damaged: string[] = [];
    await forEachBounded(files, MAX_DOWNLOADS, async ({ name, byte_count: size }) => {
      try {
        // Local copies can be damaged, too, so they are replaced.
        if (!(await this.objects.blobs.download({ hash: name, size }))) damaged.push(name);
      } catch (error) {
        if (!(error instanceof DamagedBlob)) throw error;
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
