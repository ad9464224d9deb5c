import { SqliteAdapter, sql } from 'kysely';
import { yieldToEventLoop } from '../../base/slices';
import type { Store, StoreAccess } from './store';

/**
 * Maximum numbers of writes and rows per transaction. Larger transactions would delay other work.
 */
const MAX_WRITES = 64;
const MAX_ROWS = 5_000;
/**
 * Number of ticks without a new write before a commit. Decoding the message of the next write takes
 * one tick, and its handler runs in the tick after that.
 */
const QUIET_TICKS = 2;

interface Write {
  rowCount: number;
  work: (access: StoreAccess) => Promise<void>;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/**
 * Commits writes that arrive in successive ticks of the event loop together (group commit). The
 * embedded store runs only one transaction at a time and waits for the disk at the end of each
 * transaction, which dominates the cost of a small write. Each write is still atomic, and it is
 * durable when its promise resolves.
 */
export class GroupCommit {
  private waiting: Write[] = [];
  private isRunning = false;

  constructor(private readonly store: Store) {}

  /**
   * Runs a write in a transaction.
   * @param rowCount approximate number of rows that the write inserts.
   * @throws the error from the write, if it failed and was rolled back, or the error from the
   *   commit.
   */
  async run<T>(rowCount: number, work: (access: StoreAccess) => Promise<T>): Promise<T> {
    if (!(this.store.getExecutor().adapter instanceof SqliteAdapter)) {
      return this.store.transaction().execute(work);
    }
    let result: { value: T } | undefined;
    await new Promise<void>((resolve, reject) => {
      const storeResult = async (access: StoreAccess): Promise<void> => {
        result = { value: await work(access) };
      };
      this.waiting.push({ rowCount, work: storeResult, resolve, reject });
      if (!this.isRunning) void this.commitAll();
    });
    if (result === undefined) throw new Error('the write did not run before the commit');
    return result.value;
  }

  private async commitAll(): Promise<void> {
    this.isRunning = true;
    while (this.waiting.length > 0) {
      await this.waitForMore();
      const group = this.takeGroup();
      const rejections = new Map<Write, unknown>();
      try {
        await this.store.transaction().execute(async (transaction) => {
          for (const write of group) {
            const rejection = await runInSavepoint(transaction, write);
            if (rejection !== undefined) rejections.set(write, rejection.reason);
          }
        });
        for (const write of group) {
          if (rejections.has(write)) write.reject(rejections.get(write));
          else write.resolve();
        }
      } catch (error) {
        group.forEach((write) => {
          write.reject(rejections.get(write) ?? error);
        });
      }
    }
    this.isRunning = false;
  }

  /**
   * Waits until no more writes arrive. The embedded store blocks the event loop, so writes don't
   * arrive while a commit is in progress.
   */
  private async waitForMore(): Promise<void> {
    let count = 0;
    while (count < this.waiting.length && this.waiting.length < MAX_WRITES) {
      count = this.waiting.length;
      for (let tick = 0; tick < QUIET_TICKS; tick += 1) await yieldToEventLoop();
    }
  }

  private takeGroup(): Write[] {
    let rowCount = 0;
    const end = this.waiting.findIndex((write, index) => {
      rowCount += write.rowCount;
      return index > 0 && rowCount > MAX_ROWS;
    });
    return this.waiting.splice(0, Math.min(end < 0 ? MAX_WRITES : end, MAX_WRITES));
  }
}

/**
 * Runs a write. If it fails, rolls back only its changes.
 * @returns the error if the write failed.
 * @throws the error if it caused SQLite to end the transaction, which rolls back all writes.
 */
async function runInSavepoint(
  access: StoreAccess,
  { work }: Write,
): Promise<{ reason: unknown } | undefined> {
  await sql`savepoint one_write`.execute(access);
  try {
    await work(access);
    await sql`release savepoint one_write`.execute(access);
    return undefined;
  } catch (reason) {
    try {
      await sql`rollback to savepoint one_write`.execute(access);
      await sql`release savepoint one_write`.execute(access);
    } catch {
      throw reason;
    }
    return { reason };
  }
}
