import { statfs } from 'node:fs/promises';
import type { Interceptor } from '@connectrpc/connect';
import { sql } from 'kysely';
import { exhausted } from '../errors';
import type { Store } from './store';
import { isDiskFull } from './storeErrors';

const MEBIBYTE = 1024 * 1024;
/**
 * Room on the disks of the embedded store and of contents that only deleting and starting use: deleting
 * needs some for the database before it frees any.
 */
export const RESERVED_MEBIBYTES = 8;
export const RESERVED_BYTES = RESERVED_MEBIBYTES * MEBIBYTE;
/** Methods that store more than they free. */
const GROWING_METHODS =
  /^(?:Add|Configure|Create|DataCapture|FileUpload|Log$|Mark|New|Rename|Resend|Rotate|Share|StreamingData|Submit|Update|Upload)/;

/** Whether the reserve of a disk stays when these bytes are written into a directory on it. */
export async function hasRoom(directory: string, bytes = 0): Promise<boolean> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize - bytes >= RESERVED_BYTES;
}

/** Leaves room on the disk of the embedded store, so that deleting works when everything else has filled it. */
export class DiskReserve {
  /** @param directory of the embedded store; absent, there is nothing to reserve. */
  constructor(
    private readonly store: Store,
    private readonly directory: string | undefined,
  ) {}

  /** @throws ResourceExhausted when only the reserve is left. */
  readonly requireRoom = async (): Promise<void> => {
    if (this.directory === undefined) {
      return;
    }
    if (!(await hasRoom(this.directory))) {
      throw exhausted(
        'the disk of the fleet service is full: nothing was changed; delete data, or free up space on the disk',
      );
    }
  };

  /** Refuses calls that would use up the reserve, and gives back what a call took that failed for want of room. */
  readonly interceptor: Interceptor = (next) => async (request) => {
    if (GROWING_METHODS.test(request.method.name)) {
      await this.requireRoom();
    }
    try {
      return await next(request);
    } catch (error) {
      if (isDiskFull(error)) {
        await this.#truncateLog();
      }
      throw error;
    }
  };

  /** A transaction that found the disk full has filled it with its part of the write-ahead log. */
  async #truncateLog(): Promise<void> {
    if (this.directory === undefined) {
      return;
    }
    try {
      await sql`pragma wal_checkpoint(truncate)`.execute(this.store);
    } catch {
      // Another call reads or writes: the log is truncated when the next one fails.
    }
  }
}
