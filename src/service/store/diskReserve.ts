import { statfs } from 'node:fs/promises';
import type { Interceptor } from '@connectrpc/connect';
import { sql } from 'kysely';
import { exhausted } from '../errors';
import type { Store } from './store';
import { isDiskFull } from './storeErrors';

const MEBIBYTE = 1024 * 1024;
/**
 * Disk space reserved for deletions and startup on the disks of the embedded store and of contents.
 * A deletion requires some space for the database before it frees any.
 */
export const RESERVED_MEBIBYTES = 8;
export const RESERVED_BYTES = RESERVED_MEBIBYTES * MEBIBYTE;
/** Methods that store more data than they delete. */
const GROWING_METHODS =
  /^(?:Add|Configure|Create|DataCapture|FileUpload|Log$|Mark|New|Rename|Resend|Rotate|Share|StreamingData|Submit|Update|Upload)/;

/**
 * Resolves to true if a disk's reserve remains available after a number of bytes is written to a
 * directory on the disk.
 */
export async function hasRoom(directory: string, bytes = 0): Promise<boolean> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize - bytes >= RESERVED_BYTES;
}

/**
 * Reserves space on the disk of the embedded store, so that data can be deleted when the disk is
 * otherwise full.
 */
export class DiskReserve {
  /** @param directory directory of the embedded store. If absent, no space is reserved. */
  constructor(
    private readonly store: Store,
    private readonly directory: string | undefined,
  ) {}

  /** @throws ResourceExhausted if only the reserve is left. */
  readonly requireRoom = async (): Promise<void> => {
    if (this.directory === undefined) return;
    if (!(await hasRoom(this.directory))) {
      throw exhausted(
        'the disk of the fleet service is full: nothing was changed; delete data, or free up space on the disk',
      );
    }
  };

  /**
   * Rejects calls that would consume the reserve. If a call fails because the disk is full, frees
   * the space that the call has used.
   */
  readonly interceptor: Interceptor = (next) => async (request) => {
    if (GROWING_METHODS.test(request.method.name)) await this.requireRoom();
    try {
      return await next(request);
    } catch (error) {
      if (isDiskFull(error)) await this.#truncateLog();
      throw error;
    }
  };

  /**
   * Truncates the write-ahead log. A transaction that failed because the disk was full leaves its
   * part of the log on the disk.
   */
  async #truncateLog(): Promise<void> {
    if (this.directory === undefined) return;
    try {
      await sql`pragma wal_checkpoint(truncate)`.execute(this.store);
    } catch {
      // Another call is reading or writing, so the log is truncated after the next failure instead.
    }
  }
}
