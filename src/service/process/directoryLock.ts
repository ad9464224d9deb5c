import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LOCK_FILE } from './dataDirectoryLayout';

/** SQLite's result code for a file that another process has locked. */
const SQLITE_BUSY = 5;

/**
 * Exclusive right to use a data directory, implemented as an exclusive lock on an empty SQLite
 * database. On Linux, macOS, and Windows, the operating system releases the lock whenever the
 * process exits, for any reason. Therefore, locks never become stale and no process IDs have to be
 * checked. If two processes start at the same time, exactly one of them gets the lock. The file
 * isn't deleted, but its existence has no meaning.
 */
export class DirectoryLock implements Disposable {
  private constructor(private readonly database: DatabaseSync) {}

  /**
   * Acquires the lock, or returns undefined if another process has it.
   * @throws if the directory isn't writable.
   */
  static tryAcquire(directory: string): DirectoryLock | undefined {
    const database = new DatabaseSync(join(directory, LOCK_FILE), { timeout: 0 });
    try {
      database.exec('begin exclusive');
      return new DirectoryLock(database);
    } catch (error) {
      database.close();
      if ((error as { errcode?: number }).errcode === SQLITE_BUSY) {
        return undefined;
      }
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.database.close();
  }
}
