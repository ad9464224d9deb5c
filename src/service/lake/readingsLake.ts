import { Code, ConnectError } from '@connectrpc/connect';
import { deserialize } from 'bson';
import type { Logger } from '../../base/logger';
import type {
  DamagedFile,
  DataShape,
  JobRunner,
  ReadingsFiles,
  ReadingsSnapshot,
} from '../query/queryJob';
import {
  clearSealed,
  hasDeletions,
  lakeContents,
  type LakeKey,
  listedFiles,
  measureFiles,
} from '../store/data/lakeManifest';
import type { DeletedReadingsRow, LakeFileRow } from '../store/data/dataSchema';
import { type Micros, MICROS_PER_DAY } from '../store/micros';
import type { Store } from '../store/store';
import { runUnlessDamaged } from '../store/storeErrors';
import { compact, deletedReadings } from './compaction';
import { FileRefCounts, LakeFolder } from './lakeFolder';
import { boundedShape, mergeShapes, sealAll } from './sealing';

/** Maximum age of recent data, by time of storage. */
const RECENT_MICROS = 30 * MICROS_PER_DAY;
/**
 * Number of new readings at which they are sealed in the background, without a query. The next
 * query then has less data to wait for.
 */
const BACKGROUND_READINGS = 50_000;
/** Maximum number of files listed in a log line. */
const MAX_LOGGED_FILES = 20;

export interface LakeOptions {
  store: Store;
  runner: JobRunner;
  /**
   * Directory for the files. If absent, a temporary directory is used, which is deleted with the
   * lake.
   */
  directory: string | undefined;
  now: () => Micros;
  logger: Logger;
  /**
   * Throws if there isn't enough space to write files. If absent, only the disk limits the space.
   */
  requireRoom?: (() => Promise<void>) | undefined;
}

/**
 * Readings in a format optimized for queries. The lake is a copy of the store's data in columnar
 * files, per organization and day. The store remains the source of truth, so a lost lake is rebuilt
 * from it.
 */
export class ReadingsLake {
  private readonly tasks = new SerialTasks();
  private readonly stop = new AbortController();
  private readonly held = new Map<string, FileRefCounts>();
  private readonly shapes = new OrganizationShapes();
  private readonly arrived = new Map<string, number>();
  private readonly compacting = new Map<string, Promise<void>>();
  private cannotSeal = false;

  private constructor(
    private readonly options: LakeOptions,
    private readonly folder: LakeFolder,
  ) {}

  /** Opens the lake and removes incomplete work that a crash left behind. */
  static async open(options: LakeOptions): Promise<ReadingsLake> {
    const folder = await LakeFolder.open(options.directory);
    const lake = new ReadingsLake(options, folder);
    await runUnlessDamaged('deleting old files of readings', options.logger, () => lake.sweep());
    return lake;
  }

  /**
   * Returns an organization's readings that were acknowledged before the call and haven't been
   * deleted.
   * @param recent true to include only readings that were stored in the last 30 days.
   * @throws ConnectError with the error from a failed job.
   */
  async snapshot(
    organizationId: string,
    { recent }: { recent: boolean },
  ): Promise<ReadingsSnapshot> {
    const key = this.key(organizationId);
    return this.tasks.run(organizationId, async () => {
      this.arrived.delete(organizationId);
      await this.seal(key);
      const contents = await lakeContents(this.options.store, key);
      const storedFrom = recent ? this.options.now() - RECENT_MICROS : undefined;
      const readings = readingsFiles(contents, {
        organizationId,
        directory: await this.folder.make(organizationId),
        storedFrom,
        shapes: this.shapes,
      });
      const hold = this.heldFiles(organizationId).acquire(readings.files);
      this.compactLater(key);
      return { readings, [Symbol.asyncDispose]: () => hold[Symbol.asyncDispose]() };
    });
  }

  /** Returns the number and the total size of the files. */
  async measure(): Promise<{ files: number; bytes: number }> {
    return measureFiles(this.options.store, this.folder.folderId);
  }

  /** Number of organizations whose data shape is cached. */
  get cachedShapes(): number {
    return this.shapes.size;
  }

  /**
   * Checks files that a query couldn't read. If a file is damaged, all of the organization's
   * readings are sealed again with the next snapshot.
   * @returns true if the list of files has changed, so that the query can be retried.
   */
  async repair(organizationId: string, names: readonly string[]): Promise<boolean> {
    const key = this.key(organizationId);
    const { store } = this.options;
    return this.tasks.run(organizationId, async () => {
      const { files } = await lakeContents(store, key);
      const unread = files.filter(({ name }) => names.includes(name));
      if (unread.length < names.length) return true;
      const damaged = await this.findDamaged(organizationId, unread);
      if (damaged.length === 0) return false;
      this.logDamage(organizationId, damaged);
      await clearSealed(store, key);
      this.shapes.remove(organizationId);
      await this.heldFiles(organizationId).discard(files.map(({ name }) => name));
      return true;
    });
  }

  /** Called when readings have been stored. Seals the readings if there are many. */
  readingsArrived(organizationId: string, count: number): void {
    const waiting = (this.arrived.get(organizationId) ?? 0) + count;
    this.arrived.set(organizationId, waiting);
    if (waiting < BACKGROUND_READINGS || this.cannotSeal || this.stop.signal.aborted) return;
    this.arrived.delete(organizationId);
    const key = this.key(organizationId);
    this.inBackground('readings could not be sealed', key, () => this.seal(key));
  }

  /**
   * Purges readings from the files after the readings have been deleted from the store. Queries
   * already exclude them.
   */
  readingsDeleted(organizationId: string): void {
    const key = this.key(organizationId);
    this.inBackground('deleted readings could not be removed from files', key, async () => {
      if (!this.cannotSeal && (await hasDeletions(this.options.store, key))) await this.seal(key);
    });
  }

  /**
   * Removes a deleted organization's files. Files that can't be removed now are removed at the next
   * start.
   */
  async organizationDeleted(organizationId: string): Promise<void> {
    const { logger } = this.options;
    await this.tasks
      .run(organizationId, () => this.folder.removeAll(organizationId))
      .catch((error: unknown) => {
        warnUnlessStopped(
          logger,
          'files of readings could not be removed',
          error,
          this.stop.signal,
        );
      });
    this.held.delete(organizationId);
    this.shapes.remove(organizationId);
    this.arrived.delete(organizationId);
  }

  /** Waits until all background work has finished. */
  async waitUntilIdle(): Promise<void> {
    while (this.tasks.size + this.compacting.size > 0) {
      await this.tasks.idle();
      await Promise.all(this.compacting.values());
    }
  }

  /**
   * Stops work in progress. Unsealed readings are sealed after the next start. Can be called more
   * than once.
   */
  async close(): Promise<void> {
    if (this.stop.signal.aborted) return;
    this.stop.abort();
    await this.waitUntilIdle();
    if (this.folder.isTemporary) {
      await clearSealed(this.options.store, { folderId: this.folder.folderId });
    }
    await this.folder.close();
  }

  private async seal(key: LakeKey): Promise<void> {
    const { store, runner, requireRoom } = this.options;
    const { folder } = this;
    await sealAll({ store, runner, folder, requireRoom, signal: this.stop.signal }, key);
  }

  private compactLater(key: LakeKey): void {
    const { organizationId } = key;
    if (this.compacting.has(organizationId) || this.stop.signal.aborted) return;
    const { store, runner, logger } = this.options;
    const running = compact(
      {
        store,
        runner,
        folder: this.folder,
        signal: this.stop.signal,
        fileRefs: this.heldFiles(organizationId),
        // For a snapshot, listing the files and protecting them from removal must be a single step.
        exclusively: (task) => this.tasks.run(organizationId, task),
      },
      key,
    )
      .catch(async (error: unknown) => {
        if (ConnectError.from(error).code === Code.DataLoss) {
          const { files } = await lakeContents(store, key);
          await this.repair(
            organizationId,
            files.map(({ name }) => name),
          );
        }
        throw error;
      })
      .catch((error: unknown) => {
        warnUnlessStopped(logger, 'files of readings could not be merged', error, this.stop.signal);
      })
      .finally(() => this.compacting.delete(organizationId));
    this.compacting.set(organizationId, running);
  }

  private inBackground(failure: string, key: LakeKey, task: () => Promise<void>): void {
    this.tasks
      .run(key.organizationId, task)
      .then(() => {
        this.compactLater(key);
      })
      .catch((error: unknown) => {
        // Logged only once, because an installation that can't run jobs won't be able to run them
        // later either.
        this.cannotSeal ||= ConnectError.from(error).code === Code.Unimplemented;
        warnUnlessStopped(this.options.logger, failure, error, this.stop.signal);
      });
  }

  private heldFiles(organizationId: string): FileRefCounts {
    const known = this.held.get(organizationId);
    if (known !== undefined) return known;
    const made = new FileRefCounts((name) => this.folder.remove(organizationId, [name]));
    this.held.set(organizationId, made);
    return made;
  }

  private key(organizationId: string): LakeKey {
    return { folderId: this.folder.folderId, organizationId };
  }

  private async sweep(): Promise<void> {
    const { store } = this.options;
    const listed = Map.groupBy(
      await listedFiles(store, this.folder.folderId),
      ({ organization_id }) => organization_id,
    );
    for (const [organizationId, files] of await this.folder.sweep(listed)) {
      this.logDamage(organizationId, files);
      await clearSealed(store, this.key(organizationId));
      await this.folder.removeAll(organizationId);
    }
  }

  /** Reads files completely and returns the names of those that can't be read. */
  private async findDamaged(
    organizationId: string,
    files: readonly LakeFileRow[],
  ): Promise<string[]> {
    const wrong = await this.folder.findWrongSizes(organizationId, files);
    if (wrong.length > 0) return wrong;
    const { runner } = this.options;
    const job = {
      kind: 'check',
      directory: this.folder.of(organizationId),
      files: files.map(({ name }) => name),
    } as const;
    for await (const document of runner.run(job, this.stop.signal)) {
      wrong.push((deserialize(document) as DamagedFile).name);
    }
    return wrong;
  }

  private logDamage(organizationId: string, files: readonly string[]): void {
    const { logger } = this.options;
    logger.warn('files of readings are missing or damaged and will be rebuilt from the records', {
      organizationId,
      files: files.slice(0, MAX_LOGGED_FILES).join(', '),
      count: files.length,
    });
  }
}

function warnUnlessStopped(
  logger: Logger,
  message: string,
  error: unknown,
  stopped: AbortSignal,
): void {
  if (!stopped.aborted) {
    // The operating system's error messages contain file paths.
    const isSystemError = error instanceof Error && 'syscall' in error && 'code' in error;
    const text = error instanceof Error ? error.message : String(error);
    logger.warn(message, { error: isSystemError ? String(error.code) : text });
  }
}

/** Runs tasks with the same key sequentially, and tasks with different keys concurrently. */
class SerialTasks {
  private readonly last = new Map<string, Promise<unknown>>();

  /** Runs a task after all earlier tasks with the same key have settled. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const previous = this.last.get(key) ?? Promise.resolve();
    const running = previous.then(task, task);
    const settled = running.then(
      () => undefined,
      () => undefined,
    );
    this.last.set(key, settled);
    try {
      return await running;
    } finally {
      if (this.last.get(key) === settled) this.last.delete(key);
    }
  }

  /** Number of keys that have tasks. */
  get size(): number {
    return this.last.size;
  }

  /** Waits until no tasks remain. */
  async idle(): Promise<void> {
    while (this.last.size > 0) {
      await Promise.all(this.last.values());
    }
  }
}

/**
 * Cache of the organizations' shapes, because reading the shapes of all files takes a long time.
 */
class OrganizationShapes {
  private readonly known = new Map<string, { files: ReadonlySet<string>; shape: DataShape }>();

  /**
   * Returns the merged shape of all files. The shape can include fields that only deleted files
   * contained.
   */
  of(organizationId: string, files: readonly LakeFileRow[]): DataShape {
    const known = this.known.get(organizationId);
    const added = files.filter(({ name }) => known?.files.has(name) !== true);
    if (known !== undefined && added.length === 0) return known.shape;
    const merged = added
      .map((file) => JSON.parse(file.shape) as DataShape)
      .reduce((all, next) => mergeShapes(all, next), known?.shape ?? 'NULL');
    const shape = boundedShape(merged);
    this.known.set(organizationId, { files: new Set(files.map(({ name }) => name)), shape });
    return shape;
  }

  get size(): number {
    return this.known.size;
  }

  remove(organizationId: string): void {
    this.known.delete(organizationId);
  }
}

/** Returns an organization's files that a query reads. */
function readingsFiles(
  { files, deletions }: { files: readonly LakeFileRow[]; deletions: readonly DeletedReadingsRow[] },
  {
    organizationId,
    directory,
    storedFrom,
    shapes,
  }: {
    organizationId: string;
    directory: string;
    /** Storage time from which data is included. Files with only older data are excluded. */
    storedFrom: Micros | undefined;
    shapes: OrganizationShapes;
  },
): ReadingsFiles {
  const included = files.filter(
    ({ last_synced_at }) => storedFrom === undefined || last_synced_at >= storedFrom,
  );
  return {
    directory,
    files: included.map(({ name }) => name),
    deletions: deletions.map(deletedReadings),
    storedFrom,
    shape: shapes.of(organizationId, files),
  };
}
