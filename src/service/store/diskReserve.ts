import { statfs } from 'node:fs/promises';
import type { Interceptor } from '@connectrpc/connect';
import { sql } from 'kysely';
import { exhausted } from '../errors';
import type { Store } from './store';
import { isDiskFull } from './storeErrors';

const MEBIBYTE = 1024 * 1024;
/** Room on the disk of the embedded store that only deleting and starting use. */
export const RESERVED_MEBIBYTES = 8;
/** Methods that store more than they free. */
const GROWING_METHODS =
  /^(?:Add|Configure|Create|DataCapture|FileUpload|Log$|Mark|New|Rename|Resend|Rotate|Share|StreamingData|Submit|Update|Upload)/;

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
    const { bavail, bsize } = await statfs(this.directory);
    if (bavail * bsize < RESERVED_MEBIBYTES * MEBIBYTE) {
      throw exhausted(
        'the disk of the fleet service is full: nothing was changed; delete something, or free room on the disk',
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
