import { SqliteAdapter, sql } from 'kysely';
import type { Store, StoreAccess } from './store';

/** Maximum number of writes per transaction. Larger transactions would delay other work. */
const MAX_TOGETHER = 64;

interface Write {
  work: (access: StoreAccess) => Promise<void>;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/**
 * Group commit. Writes that arrive while a commit is in progress are committed together. The
 * embedded store runs only one transaction at a time and waits for the disk at the end of each
 * transaction, which dominates the cost of a small write. Each write is still atomic, and it is
 * durable when its promise resolves.
 */
export class SharedCommits {
  #waiting: Write[] = [];
  #isRunning = false;

  constructor(private readonly store: Store) {}

  /**
   * Runs a write in a transaction.
   * @throws the error from the write, if it failed and was rolled back, or the error from the
   *   commit.
   */
  async run<T>(work: (access: StoreAccess) => Promise<T>): Promise<T> {
    if (!(this.store.getExecutor().adapter instanceof SqliteAdapter)) {
      return this.store.transaction().execute(work);
    }
    let result: { value: T } | undefined;
    await new Promise<void>((resolve, reject) => {
      const storeResult = async (access: StoreAccess): Promise<void> => {
        result = { value: await work(access) };
      };
      this.#waiting.push({ work: storeResult, resolve, reject });
      if (!this.#isRunning) void this.#commitAll();
    });
    if (result === undefined) throw new Error('a write was committed that did not run');
    return result.value;
  }

  async #commitAll(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, MAX_TOGETHER);
      const rejections = new Map<Write, unknown>();
      try {
        await this.store.transaction().execute(async (transaction) => {
          for (const write of group) {
            const rejection = await inSavepoint(transaction, write);
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
    this.#isRunning = false;
  }
}

/**
 * Runs a write. If it fails, rolls back only its changes.
 * @returns the error if the write failed.
 * @throws the error if it caused SQLite to end the transaction, which rolls back all writes.
 */
async function inSavepoint(
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
