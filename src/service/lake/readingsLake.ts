import { setTimeout as sleep } from 'node:timers/promises';
import { Code, ConnectError } from '@connectrpc/connect';
import { raceAbort } from '../../base/cancellation';
import type { Logger } from '../../base/logger';
import { dataLoss } from '../errors';
import type { JobRunner, ReadingsSnapshot } from '../query/queryJob';
import {
  BUCKET_CATALOG,
  clearSealed,
  COLD_CATALOG,
  findWithDeletions,
  findWithUnsealed,
  hasDeletions,
  lakeContents,
  listedFiles,
  measureFiles,
  sealedThrough,
  unsealedRange,
} from '../store/data/lakeManifest';
import type { LakeKey, LakeTask } from '../store/data/dataSchema';
import { type Micros, MICROS_PER_DAY } from '../store/micros';
import type { Store } from '../store/store';
import { findOrganization } from '../store/organizations';
import { runUnlessDamaged } from '../store/storeErrors';
import { compact, deletedReadings } from './compaction';
import {
  BlobFiles,
  FolderFiles,
  type LakeContents,
  type LakeFiles,
  UnreadableFileError,
} from './lakeFiles';
import { ColdMoves } from './coldMoves';
import { ColdReadings } from './coldReadings';
import { OrganizationShapes } from './dataShapes';
import { ObjectBlobStore } from '../blobs/objectBlobStore';
import { LakeFolder } from './lakeFolder';
import { type HeldLease, holdLease, LEASE_MS } from './lakeLeases';
import { type LakeTools, sealAll } from './sealing';
import { SerialTasks } from './serialTasks';
import { warnUnlessStopped } from './warnUnlessStopped';

/** Maximum age of recent data, by time of storage. */
const RECENT_MICROS = 30 * MICROS_PER_DAY;
/**
 * Number of new readings at which they are sealed in the background, without a query. The next
 * query then has less data to wait for.
 */
const BACKGROUND_READINGS = 50_000;
/** Time in milliseconds between checks for work that other services have left. */
const MAINTENANCE_MS = 60_000;
/** Maximum number of files listed in a log line. */
const MAX_LOGGED_FILES = 20;
/** Time in milliseconds between checks whether another service has sealed readings. */
const SEALED_POLL_MS = 100;
/** Maximum number of attempts to open files that other services merge or rebuild. */
const MAX_OPEN_ATTEMPTS = 5;

export interface LakeOptions {
  store: Store;
  runner: JobRunner;
  /**
   * False if the runner never runs jobs, because other nodes seal readings and merge files; true if
   * absent.
   */
  runsJobs?: boolean;
  /**
   * Directory for the files, or with a bucket for those that jobs write before they are uploaded. If
   * absent, a temporary directory is used, which is deleted with the lake.
   */
  directory: string | undefined;
  /**
   * Store for contents. If it is a bucket, the files are there, and all services of the fleet share
   * them. If absent, readings can't leave the records.
   */
  contents?: LakeContents | undefined;
  /** Number of days after which readings leave the records, as in `ColdMovesOptions`. */
  hotDays?: number | undefined;
  /** Duration of a lease in milliseconds; five seconds if absent. */
  leaseMs?: number;
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
 * from it, except for cold readings. The files are in a folder of this process, or in a bucket that
 * all services of the fleet share; then a lease ensures that only one of them seals an
 * organization's readings at a time.
 */
export class ReadingsLake {
  private readonly tasks = new SerialTasks();
  private readonly stop = new AbortController();
  private readonly shapes = new OrganizationShapes();
  private readonly arrived = new Map<string, number>();
  private readonly compacting = new Map<string, Compaction>();
  /** True if the runner can't run jobs, which doesn't change until the next start. */
  private cannotRunJobs: boolean;
  private readonly maintenance: NodeJS.Timeout | undefined;
  /** Readings that have left the records. */
  readonly cold: ColdReadings | undefined;
  /** Moves of readings from the records to files. */
  readonly moves: ColdMoves | undefined;

  private constructor(
    private readonly options: LakeOptions,
    private readonly folder: LakeFolder,
    private readonly files: LakeFiles,
  ) {
    this.cannotRunJobs = options.runsJobs === false;
    const { contents, hotDays, leaseMs, requireRoom, ...rest } = options;
    if (contents !== undefined) {
      const { store, runner } = options;
      const coldFiles = new BlobFiles(COLD_CATALOG, store, folder, contents);
      this.cold = new ColdReadings(store, runner, coldFiles);
      this.moves = new ColdMoves({
        ...rest,
        ...{ contents, folder, files: coldFiles, hotDays, leaseMs, requireRoom },
        runsJobs: !this.cannotRunJobs,
        // The copies of these readings in the other files are no longer needed.
        readingsMoved: (id) => {
          this.compactLater(this.key(id), true);
        },
      });
    }
    if (files.isShared && !this.cannotRunJobs) {
      this.maintenance = setInterval(() => void this.maintain(), MAINTENANCE_MS).unref();
    }
  }

  /** Opens the lake and removes incomplete work that a crash left behind. */
  static async open(options: LakeOptions): Promise<ReadingsLake> {
    const folder = await LakeFolder.open(options.directory);
    const { store, runner, contents } = options;
    const files =
      contents?.blobs instanceof ObjectBlobStore
        ? new BlobFiles(BUCKET_CATALOG, store, folder, contents)
        : new FolderFiles(store, runner, folder);
    const lake = new ReadingsLake(options, folder, files);
    await runUnlessDamaged('deleting old files of readings', options.logger, () => lake.sweep());
    return lake;
  }

  /**
   * Returns an organization's readings that were acknowledged before the call and haven't been
   * deleted.
   * @param recent true to include only readings that were stored in the last 30 days.
   * @param signal stops waiting for readings that are being sealed.
   * @throws ConnectError with the error from a failed job; the signal's reason when it aborts.
   */
  async snapshot(
    organizationId: string,
    {
      recent,
      signal = new AbortController().signal,
    }: { recent: boolean; signal?: AbortSignal | undefined },
  ): Promise<ReadingsSnapshot> {
    const key = this.key(organizationId);
    const seal = async (): Promise<void> => {
      this.arrived.delete(organizationId);
      await this.seal(key, signal);
    };
    const open = (): Promise<ReadingsSnapshot> => this.openContents(key, recent);
    if (!this.files.isShared) {
      const opening = this.tasks.run(organizationId, async () => {
        await seal();
        return open();
      });
      try {
        return await raceAbort(opening, signal);
      } catch (error) {
        opening.then((snapshot) => snapshot[Symbol.asyncDispose]()).catch(() => undefined);
        throw error;
      }
    }
    for (let attempt = 1; ; attempt += 1) {
      await raceAbort(this.tasks.run(organizationId, seal), signal);
      try {
        return await open();
      } catch (error) {
        if (!(error instanceof UnreadableFileError)) throw error;
        if (attempt === MAX_OPEN_ATTEMPTS) {
          throw dataLoss(
            'files of the readings are missing or damaged and are being rebuilt from the records: run the query again',
          );
        }
        // Another service might have merged the file, and its collector might have deleted it.
        await this.repair(organizationId, [error.fileName]);
      }
    }
  }

  /** Returns the number and the total size of the files. */
  async measure(): Promise<{ files: number; bytes: number }> {
    return measureFiles(this.options.store, this.files.catalogId);
  }

  /** Number of organizations whose data shape is cached. */
  get cachedShapes(): number {
    return this.shapes.size;
  }

  /**
   * Checks files that a query couldn't read. If a file is damaged, all of the organization's
   * readings are sealed again with the next snapshot.
   * @returns true if the list of files has changed, so that the query can be retried.
   * @throws DataLoss if a file with cold readings is damaged.
   */
  async repair(organizationId: string, names: readonly string[]): Promise<boolean> {
    const key = this.key(organizationId);
    const { store } = this.options;
    return this.tasks.run(organizationId, async () => {
      const { files } = await lakeContents(store, key);
      const unread = files.filter(({ name }) => names.includes(name));
      if (unread.length < names.length) return true;
      const damaged = await this.files.findDamaged(organizationId, unread, this.stop.signal);
      if (damaged.length === 0) {
        // Cold readings can't be rebuilt. If one of their files is damaged, this throws an error.
        await (await this.cold?.open(organizationId, () => true))?.[Symbol.asyncDispose]();
        // Damaged local copies of a bucket's objects have been replaced.
        return this.files.isShared;
      }
      if (await clearSealed(store, key, damaged)) this.logDamage(organizationId, damaged);
      this.shapes.remove(organizationId);
      await this.files.discard(
        organizationId,
        files.map(({ name }) => name),
      );
      return true;
    });
  }

  /** Called when readings have been stored. Seals the readings if there are many. */
  readingsArrived(organizationId: string, count: number): void {
    const waiting = (this.arrived.get(organizationId) ?? 0) + count;
    this.arrived.set(organizationId, waiting);
    if (waiting < BACKGROUND_READINGS || this.cannotRunJobs || this.stop.signal.aborted) return;
    this.arrived.delete(organizationId);
    const key = this.key(organizationId);
    this.inBackground('readings could not be sealed', key, () => this.seal(key));
  }

  /**
   * Purges readings from the files after the readings have been deleted from the store. Queries
   * already exclude them.
   */
  readingsDeleted(organizationId: string): void {
    if (this.cannotRunJobs) return;
    this.moves?.purge(organizationId);
    const key = this.key(organizationId);
    this.inBackground('deleted readings could not be removed from files', key, async () => {
      if (await hasDeletions(this.options.store, key)) await this.seal(key);
    });
  }

  /**
   * Does the work that other services have left in a shared catalog: seals readings that arrived
   * through several nodes or through one that runs no jobs, and purges readings that were deleted
   * through such a node. Logs errors.
   */
  async maintain(): Promise<void> {
    const { store, logger } = this.options;
    const { catalogId } = this.files;
    try {
      for (const id of await findWithUnsealed(store, catalogId, BACKGROUND_READINGS)) {
        this.readingsArrived(id, BACKGROUND_READINGS);
      }
      for (const id of await findWithDeletions(store, catalogId)) this.readingsDeleted(id);
    } catch (error) {
      const message = 'readings of other nodes could not be sealed';
      warnUnlessStopped(logger, message, error, this.stop.signal);
    }
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
    this.files.organizationDeleted(organizationId);
    this.shapes.remove(organizationId);
    this.arrived.delete(organizationId);
  }

  /** Waits until all background work has finished. */
  async waitUntilIdle(): Promise<void> {
    await this.moves?.waitUntilIdle();
    while (this.tasks.size + this.compacting.size > 0) {
      await this.tasks.idle();
      await Promise.all([...this.compacting.values()].map(({ done }) => done));
    }
  }

  /**
   * Stops work in progress. Unsealed readings are sealed after the next start. Can be called more
   * than once.
   */
  async close(): Promise<void> {
    if (this.stop.signal.aborted) return;
    clearInterval(this.maintenance);
    this.stop.abort();
    await this.moves?.close();
    await this.waitUntilIdle();
    if (this.folder.isTemporary) {
      await clearSealed(this.options.store, { catalogId: this.folder.folderId });
    }
    await this.folder.close();
  }

  private async openContents(key: LakeKey, recent: boolean): Promise<ReadingsSnapshot> {
    const { organizationId } = key;
    const { files, deletions } = await lakeContents(this.options.store, key);
    const storedFrom = recent ? this.options.now() - RECENT_MICROS : undefined;
    const included = files.filter(
      ({ last_synced_at }) => storedFrom === undefined || last_synced_at >= storedFrom,
    );
    await this.folder.make(organizationId);
    await using resources = new AsyncDisposableStack();
    const local = resources.use(await this.files.open(organizationId, included));
    // Must be read after the list of files, from which readings are removed after they became cold.
    const cold = await this.cold?.open(
      organizationId,
      ({ last_synced_at }) => storedFrom === undefined || last_synced_at >= storedFrom,
    );
    if (cold !== undefined) resources.use(cold);
    this.compactLater(key);
    const opened = resources.move();
    return {
      readings: {
        organizationId,
        directory: local.directory,
        files: local.names,
        deletions: deletions.map(deletedReadings),
        storedFrom,
        shape: this.shapes.of(organizationId, [...files, ...(cold?.listed ?? [])]),
        cold: cold?.cold,
      },
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    };
  }

  /**
   * Seals all of an organization's readings that were acknowledged before the call, or waits until
   * another service has.
   * @param canceled stops the wait. It doesn't stop sealing, which later queries need.
   */
  private async seal(key: LakeKey, canceled?: AbortSignal): Promise<void> {
    if (!this.files.isShared) {
      await sealAll(this.getTools(undefined), key);
      return;
    }
    const { store } = this.options;
    const target = await unsealedRange(store, key);
    if (target === undefined) return;
    while (canceled?.aborted !== true) {
      const sealed = await sealedThrough(store, key);
      if ((sealed ?? 0) >= target.through) return;
      const isDeleted = async () =>
        (await findOrganization(store, key.organizationId)) === undefined;
      if (sealed === undefined && (await isDeleted())) return;
      await using held = await this.holdLease(key, 'seal');
      if (held === undefined) {
        await sleep(SEALED_POLL_MS, undefined, { signal: this.stop.signal });
        continue;
      }
      try {
        // The readings can have been deleted or become cold, so that nothing remains to be sealed.
        if (await sealAll(this.getTools(held), key)) return;
      } catch (error) {
        // If another service has acquired the lease, it seals the readings.
        if (this.stop.signal.aborted || !(await held.isLost())) throw error;
      }
    }
  }

  private holdLease(key: LakeKey, task: LakeTask): Promise<HeldLease | undefined> {
    return holdLease(this.options.store, key, task, this.options.leaseMs ?? LEASE_MS);
  }

  private getTools(held: HeldLease | undefined): LakeTools {
    const { store, runner, requireRoom } = this.options;
    const { folder, files } = this;
    const { signal: stop } = this.stop;
    const signal = held === undefined ? stop : AbortSignal.any([stop, held.signal]);
    return { store, runner, requireRoom, folder, files, lease: held?.lease, signal };
  }

  private async compact(key: LakeKey): Promise<void> {
    if (!this.files.isShared) {
      await compact(
        {
          ...this.getTools(undefined),
          // For a snapshot, listing the files and protecting them from removal must be a single step.
          exclusively: (task) => this.tasks.run(key.organizationId, task),
        },
        key,
      );
      return;
    }
    await using held = await this.holdLease(key, 'merge');
    // Otherwise, another service is merging the files.
    if (held !== undefined) {
      await compact({ ...this.getTools(held), exclusively: (task) => task() }, key);
    }
  }

  /**
   * Merges an organization's files in the background, unless this is already happening.
   * @param isRepeated true to merge them again in that case, because the files or deletions have
   *   changed.
   */
  private compactLater(key: LakeKey, isRepeated = false): void {
    const { organizationId } = key;
    const running = this.compacting.get(organizationId);
    if (running !== undefined) running.isRepeated ||= isRepeated;
    if (running !== undefined || this.cannotRunJobs || this.stop.signal.aborted) return;
    const state: Compaction = { isRepeated: true, done: Promise.resolve() };
    const compactAll = async (): Promise<void> => {
      while (state.isRepeated && !this.stop.signal.aborted) {
        state.isRepeated = false;
        await this.compactOrWarn(key);
      }
      this.compacting.delete(organizationId);
    };
    this.compacting.set(organizationId, state);
    state.done = compactAll();
  }

  private async compactOrWarn(key: LakeKey): Promise<void> {
    const { organizationId } = key;
    const { store, logger } = this.options;
    try {
      await this.compact(key);
    } catch (error) {
      warnUnlessStopped(logger, 'files of readings could not be merged', error, this.stop.signal);
      const isUnreadable = error instanceof UnreadableFileError;
      if (!isUnreadable && ConnectError.from(error).code !== Code.DataLoss) return;
      try {
        const names = isUnreadable
          ? [error.fileName]
          : (await lakeContents(store, key)).files.map(({ name }) => name);
        await this.repair(organizationId, names);
      } catch (failure) {
        warnUnlessStopped(
          logger,
          'files of readings could not be checked',
          failure,
          this.stop.signal,
        );
      }
    }
  }

  private inBackground(failure: string, key: LakeKey, task: () => Promise<void>): void {
    this.tasks
      .run(key.organizationId, task)
      .then(() => {
        this.compactLater(key, true);
      })
      .catch((error: unknown) => {
        // Logged only once, because an installation that can't run jobs won't be able to run them
        // later either.
        this.cannotRunJobs ||= ConnectError.from(error).code === Code.Unimplemented;
        warnUnlessStopped(this.options.logger, failure, error, this.stop.signal);
      });
  }

  private key(organizationId: string): LakeKey {
    return { catalogId: this.files.catalogId, organizationId };
  }

  private async sweep(): Promise<void> {
    const { store } = this.options;
    // Records of the other kind of catalog, which the service used before.
    const unused = this.files.isShared ? this.folder.folderId : BUCKET_CATALOG;
    await clearSealed(store, { catalogId: unused });
    const listed = Map.groupBy(
      await listedFiles(store, this.folder.folderId),
      ({ organization_id }) => organization_id,
    );
    for (const [organizationId, files] of await this.folder.sweep(listed)) {
      this.logDamage(organizationId, files);
      await clearSealed(store, { catalogId: this.folder.folderId, organizationId });
      await this.folder.removeAll(organizationId);
    }
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

/** Merging of an organization's files in the background. */
interface Compaction {
  done: Promise<void>;
  /** True if the files must be merged again afterward. */
  isRepeated: boolean;
}
