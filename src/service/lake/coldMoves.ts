import type { Logger } from '../../base/logger';
import { ObjectBlobStore } from '../blobs/objectBlobStore';
import type { JobRunner } from '../query/queryJob';
import {
  type AgeLimits,
  beginColdSeal,
  findColdProgress,
  findOldestDue,
  findOldReadings,
  findWithOldReadings,
  removeSomeReadings,
} from '../store/data/coldReadings';
import type { LakeFileRow, LakeKey, LakeTask } from '../store/data/dataSchema';
import { startOfDay, toUtcDay } from '../store/data/dayCounts';
import type { LakeLease } from '../store/data/lakeLeases';
import { COLD_CATALOG, findWithDeletions, measureFiles } from '../store/data/lakeManifest';
import { type Micros, MICROS_PER_DAY } from '../store/micros';
import type { Store } from '../store/store';
import { findEqualFiles } from './coldComparison';
import { purgeColdReadings } from './coldPurge';
import { createColdKey } from './coldReadings';
import type { BlobFiles, LakeContents } from './lakeFiles';
import type { LakeFolder } from './lakeFolder';
import { type HeldLease, holdLease, LEASE_MS } from './lakeLeases';
import { type LakeTools, sealSome } from './sealing';
import { warnUnlessStopped } from './warnUnlessStopped';

/** Time in milliseconds before the first search for old readings, and between searches. */
const FIRST_POLL_MS = 5000;
const POLL_MS = 3_600_000;
/**
 * Time in microseconds by which a reading's time of storage can be ahead of the clock. Clocks of nodes
 * differ by less.
 */
const MAX_AHEAD_MICROS = MICROS_PER_DAY;
const MICROS_PER_SECOND = 1_000_000;

export interface ColdMovesOptions {
  store: Store;
  runner: JobRunner;
  /** Folder for the files that jobs write before they are stored. */
  folder: LakeFolder;
  /** Files of the catalog of cold readings, and the store for them, which backups include. */
  files: BlobFiles;
  contents: LakeContents;
  /**
   * Number of days after which readings leave the records; if absent, readings remain there, and
   * only those that have already left are read from files.
   */
  hotDays: number | undefined;
  /** False if other nodes write and merge files. */
  runsJobs: boolean;
  leaseMs: number | undefined;
  now: () => Micros;
  logger: Logger;
  requireRoom: (() => Promise<void>) | undefined;
  /** Called when readings of an organization have left the records. */
  readingsMoved: (organizationId: string) => void;
}

/** Numbers of moves since the service started. */
export interface MoveCounts {
  /** Readings that have left the records. */
  readonly movedRows: number;
  /** Failed attempts to move an organization's readings. */
  readonly failedMoves: number;
}

/** State of the files with cold readings, and of the moves. */
export interface ColdLoad extends MoveCounts {
  readonly files: number;
  readonly bytes: number;
  /** Age of the oldest reading that should have left the records; 0 if there is none. */
  readonly oldestDueSeconds: number;
}

/** Error for files that can't replace the records of an organization's readings. */
class UnverifiedFilesError extends Error {
  override readonly name = 'UnverifiedFilesError';

  constructor(
    message: string,
    readonly organizationId: string,
  ) {
    super(message);
  }
}

/**
 * Moves old readings from the records to files with cold readings, and removes deleted readings from
 * these files.
 */
export class ColdMoves {
  private readonly stop = new AbortController();
  private readonly timers: NodeJS.Timeout[] = [];
  private retry: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private movedRows = 0;
  private failedMoves = 0;

  constructor(private readonly options: ColdMovesOptions) {}

  /** Starts to move old readings periodically. */
  start(): void {
    if (!this.options.runsJobs) return;
    const poll = (): void => void this.poll();
    this.timers.push(setTimeout(poll, FIRST_POLL_MS).unref(), setInterval(poll, POLL_MS).unref());
  }

  /**
   * Moves readings that are old enough, and removes deleted readings from files. Logs errors, so that
   * a problem with one organization doesn't affect others.
   */
  poll(): Promise<void> {
    const { store } = this.options;
    return this.inOrder(async () => {
      await this.purgeOrWarn(async () => {
        for (const id of await findWithDeletions(store, COLD_CATALOG)) {
          await this.purgeOrWarn(() => this.purgeNow(id));
        }
      });
      const limits = this.getAgeLimits();
      if (limits === undefined) return;
      await this.moveOrWarn(async () => {
        for (const id of await findWithOldReadings(store, limits)) {
          await this.moveOrWarn(() => this.moveOrganization(id, limits));
        }
      });
    });
  }

  /** Removes an organization's deleted readings from files in the background. */
  purge(organizationId: string): void {
    if (!this.options.runsJobs) return;
    void this.inOrder(() => this.purgeOrWarn(() => this.purgeNow(organizationId)));
  }

  get counts(): MoveCounts {
    const { movedRows, failedMoves } = this;
    return { movedRows, failedMoves };
  }

  /** Measures the files and the moves. */
  async measure(): Promise<ColdLoad> {
    const { store, now } = this.options;
    const limits = this.getAgeLimits();
    const oldest = limits && (await findOldestDue(store, limits));
    return {
      ...(await measureFiles(store, COLD_CATALOG)),
      ...this.counts,
      oldestDueSeconds: oldest === undefined ? 0 : (now() - oldest) / MICROS_PER_SECOND,
    };
  }

  /** Waits until work in progress has finished. */
  async waitUntilIdle(): Promise<void> {
    await this.running;
  }

  /** Stops work in progress, which continues after the next start. */
  async close(): Promise<void> {
    this.stop.abort();
    for (const timer of this.timers) clearTimeout(timer);
    clearTimeout(this.retry);
    await this.running;
  }

  /** @returns undefined if readings don't leave the records. */
  private getAgeLimits(): AgeLimits | undefined {
    const { hotDays, now } = this.options;
    if (hotDays === undefined) return undefined;
    const time = now();
    return {
      storedBefore: startOfDay(toUtcDay(time) - hotDays),
      latest: time + MAX_AHEAD_MICROS,
    };
  }

  private async moveOrganization(organizationId: string, limits: AgeLimits): Promise<void> {
    const { store, logger } = this.options;
    const key = createColdKey(organizationId);
    await using held = await this.holdLease(key, 'seal');
    if (held === undefined) return;
    const tools = this.getTools(held);
    await beginColdSeal(store, key);
    const { through, ahead } = await findOldReadings(store, organizationId, limits, tools.signal);
    if (ahead > 0) {
      logger.warn(
        'the clock was ahead when some readings were stored. They leave the database when later readings do: ' +
          'check the clocks of the service and its database',
        { organizationId, readings: ahead },
      );
    }
    for (let isMoved = false; ;) {
      tools.signal.throwIfAborted();
      const progress = await findColdProgress(store, organizationId);
      if (progress.removed < progress.sealed) {
        if (await this.removeReadings(tools, key, held.lease)) isMoved = true;
        else if (await held.isLost()) return;
        continue;
      }
      const range = { after: progress.sealed, through };
      if (range.after < through && (await sealSome(tools, key, range)) !== undefined) continue;
      if (isMoved) this.options.readingsMoved(organizationId);
      return;
    }
  }

  /**
   * Removes sealed readings from the records after their files were compared with them. Each
   * transaction follows a check that these files are still stored.
   * @returns false if the files have changed since they were compared, or another service has acquired
   *   the lease.
   * @throws UnverifiedFilesError
   */
  private async removeReadings(tools: LakeTools, key: LakeKey, lease: LakeLease): Promise<boolean> {
    const { store, signal } = tools;
    const { organizationId } = key;
    let progress = await findColdProgress(store, organizationId);
    const files = await findEqualFiles(tools, key, progress);
    if (files === undefined) {
      throw new UnverifiedFilesError(
        'files with old readings differ from the records, which were retained',
        organizationId,
      );
    }
    const names = new Set(files.map(({ name }) => name));
    for (let isFirst = true; progress.removed < progress.sealed; isFirst = false) {
      signal.throwIfAborted();
      if (!(await this.areStored(organizationId, files, isFirst))) {
        throw new UnverifiedFilesError(
          'files with old readings are missing or damaged, so their readings were retained in the records',
          organizationId,
        );
      }
      const removed = await removeSomeReadings(store, key, { progress, names, lease });
      if (removed === undefined) return false;
      this.movedRows += removed;
      progress = await findColdProgress(store, organizationId);
    }
    return true;
  }

  /**
   * Returns true if files that were compared are still stored.
   * @param isComplete true to read objects in a bucket completely rather than to compare their sizes,
   *   because downloading them before each transaction would take too long.
   */
  private async areStored(
    organizationId: string,
    files: readonly LakeFileRow[],
    isComplete: boolean,
  ): Promise<boolean> {
    const { contents, files: lakeFiles } = this.options;
    if (isComplete || !(contents.blobs instanceof ObjectBlobStore)) {
      return (await lakeFiles.findDamaged(organizationId, files)).length === 0;
    }
    for (const { name, byte_count: size } of files) {
      if ((await contents.blobs.size(name)) !== size) return false;
    }
    return true;
  }

  private async purgeNow(organizationId: string): Promise<void> {
    const key = createColdKey(organizationId);
    await using held = await this.holdLease(key, 'merge');
    if (held !== undefined) await purgeColdReadings(this.getTools(held), key);
  }

  /** @returns undefined if another service does the work, or did until it crashed. */
  private async holdLease(key: LakeKey, task: LakeTask): Promise<HeldLease | undefined> {
    const durationMs = this.options.leaseMs ?? LEASE_MS;
    const held = await holdLease(this.options.store, key, task, durationMs);
    if (held === undefined && this.timers.length > 0) {
      clearTimeout(this.retry);
      this.retry = setTimeout(() => void this.poll(), durationMs).unref();
    }
    return held;
  }

  private getTools(held: HeldLease): LakeTools {
    const { store, runner, folder, files, requireRoom } = this.options;
    const signal = AbortSignal.any([this.stop.signal, held.signal]);
    return { store, runner, folder, files, requireRoom, lease: held.lease, signal };
  }

  /** Runs a task, which must not throw, after all earlier tasks. */
  private inOrder(task: () => Promise<void>): Promise<void> {
    this.running = this.running.then(task);
    return this.running;
  }

  private async purgeOrWarn(task: () => Promise<void>): Promise<void> {
    await this.runOrWarn('deleted readings could not be removed from files', task);
  }

  private async moveOrWarn(task: () => Promise<void>): Promise<void> {
    if (!(await this.runOrWarn('old readings could not be moved', task))) this.failedMoves += 1;
  }

  /** @returns false if the task failed. */
  private async runOrWarn(failure: string, task: () => Promise<void>): Promise<boolean> {
    const { logger } = this.options;
    try {
      this.stop.signal.throwIfAborted();
      await task();
      return true;
    } catch (error) {
      if (this.stop.signal.aborted) return true;
      if (error instanceof UnverifiedFilesError) {
        logger.error(error.message, { organizationId: error.organizationId });
      } else {
        warnUnlessStopped(logger, failure, error, this.stop.signal);
      }
      return false;
    }
  }
}
