import { randomFillSync } from 'node:crypto';
import { open, stat, statfs, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Interceptor } from '@connectrpc/connect';
import { sql } from 'kysely';
import { exhausted } from '../errors';
import type { Store } from './store';
import { isDiskFull } from './storeErrors';

const MEBIBYTE = 1024 * 1024;
/**
 * Disk space reserved for deletions and startup on the disks that contain the embedded store and
 * the stored contents. A deletion requires some space for the database before it frees any.
 */
export const RESERVED_MEBIBYTES = 8;
export const RESERVED_BYTES = RESERVED_MEBIBYTES * MEBIBYTE;
/** The reserve file is deleted when the disk has less free space than this. */
const RELEASE_BYTES = RESERVED_BYTES / 2;
const OWNER_ONLY_FILE = 0o600;
/**
 * Free space at which the next check can wait. The service can't write this much within the
 * interval, and a check takes longer than a small write.
 */
const AMPLE_BYTES = 1024 * MEBIBYTE;
const AMPLE_INTERVAL_MS = 100;
/** Methods that need space before they free any. */
const DELETING_METHODS = /^(?:Delete|Remove)/;
/** Methods that store more data than they delete. */
const GROWING_METHODS =
  /^(?:Add|Configure|Create|DataCapture|FileUpload|Log$|Mark|New|Rename|Resend|Rotate|Share|StreamingData|Submit|Update|Upload)/;

/** Free space on the disk of a directory. */
export class DiskSpace {
  private lastFree = 0;
  private nextCheck = Number.NEGATIVE_INFINITY;

  constructor(private readonly directory: string) {}

  /** Returns the number of free bytes. While much is free, the number can be slightly outdated. */
  async free(): Promise<number> {
    const checked = performance.now();
    if (checked < this.nextCheck) return this.lastFree;
    this.lastFree = await freeBytes(this.directory);
    if (this.lastFree >= AMPLE_BYTES) this.nextCheck = checked + AMPLE_INTERVAL_MS;
    return this.lastFree;
  }

  /** Resolves to true if writing the given number of bytes leaves the disk's reserve available. */
  async hasRoom(bytes: number): Promise<boolean> {
    return (await this.free()) - bytes >= RESERVED_BYTES;
  }
}

async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

/**
 * Deletes the reserve file if its disk is almost full. The freed space lets the service start and
 * delete data. Returns true if there is no reserve file anymore.
 */
export async function releaseReserveFile(path: string): Promise<boolean> {
  if ((await freeBytes(dirname(path))) >= RELEASE_BYTES) return false;
  // A directory, for example, isn't a reserve file and is ignored.
  await unlink(path).catch(() => undefined);
  return true;
}

/**
 * Creates the reserve file, so that other programs can't use the reserve. Its content
 * is random, because some file systems store zeros without allocating space. Returns false if the
 * disk has too little free space for the file.
 */
async function createReserveFile(path: string): Promise<boolean> {
  const size = await stat(path).then(
    (file) => file.size,
    () => 0,
  );
  if (size >= RESERVED_BYTES) return true;
  if ((await freeBytes(dirname(path))) < 2 * RESERVED_BYTES) return false;
  await using file = await open(path, 'w', OWNER_ONLY_FILE);
  const chunk = Buffer.alloc(MEBIBYTE);
  for (let written = 0; written < RESERVED_BYTES; written += MEBIBYTE) {
    await file.writeFile(randomFillSync(chunk));
  }
  return true;
}

/**
 * Reserves space on the embedded store's disk, so that data can be deleted when the disk is
 * otherwise full. The service itself leaves the space free. A file that is deleted when space is
 * needed protects a second reserve of the same size from other programs.
 */
export class DiskReserve {
  private readonly space: DiskSpace | undefined;
  private fileExists = false;
  private creation: Promise<void> | undefined;

  /**
   * @param reserveFile path of the reserve file, next to the embedded store's file. If absent, no
   *   space is reserved.
   */
  constructor(
    private readonly store: Store,
    private readonly reserveFile: string | undefined,
  ) {
    this.space = reserveFile === undefined ? undefined : new DiskSpace(dirname(reserveFile));
  }

  /** @throws ResourceExhausted if only the reserve is left, or if its file can't be created. */
  readonly requireRoom = async (): Promise<void> => {
    if (this.reserveFile === undefined || this.space === undefined) return;
    const free = await this.space.free();
    if (this.fileExists && free >= 2 * RESERVED_BYTES) return;
    // A starting service deletes the file on an almost full disk, even if it then finds this one.
    this.creation ??= this.create(this.reserveFile);
    await this.creation;
    if (free < (this.fileExists ? RESERVED_BYTES : 2 * RESERVED_BYTES)) {
      throw exhausted(
        'the disk of the fleet service is full: nothing was changed; delete data, or free up space on the disk',
      );
    }
  };

  /**
   * Rejects calls that would consume the reserve, and releases the reserve file for deletions if
   * the disk is full. If a call fails because the disk is full, frees the space that the call has
   * used.
   */
  readonly interceptor: Interceptor = (next) => async (request) => {
    const { name } = request.method;
    if (GROWING_METHODS.test(name)) await this.requireRoom();
    if (DELETING_METHODS.test(name)) await this.release();
    try {
      return await next(request);
    } catch (error) {
      if (isDiskFull(error)) await this.truncateLog();
      throw error;
    }
  };

  private async create(path: string): Promise<void> {
    try {
      this.fileExists = await createReserveFile(path);
    } catch {
      this.fileExists = false;
      // Without the file, the same amount of space must be free. The next call tries again.
    } finally {
      this.creation = undefined;
    }
  }

  private async release(): Promise<void> {
    if (this.reserveFile === undefined) return;
    await this.creation;
    if (await releaseReserveFile(this.reserveFile)) this.fileExists = false;
  }

  /**
   * Truncates the write-ahead log. A transaction that failed because the disk was full leaves its
   * part of the log on the disk.
   */
  private async truncateLog(): Promise<void> {
    if (this.reserveFile === undefined) return;
    try {
      await sql`pragma wal_checkpoint(truncate)`.execute(this.store);
    } catch {
      // Another call is reading or writing, so the log is truncated after the next failure instead.
    }
  }
}
