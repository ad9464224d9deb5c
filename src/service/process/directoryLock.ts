import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LOCK_FILE } from './dataDirectoryLayout';

/** SQLite's result code for a file that another process has locked. */
const SQLITE_BUSY = 5;

/**
 * The right to be the one service on a data directory: an exclusive lock on an empty SQLite
 * database. The system itself drops it when the process ends, however it ends, on Linux, macOS and
 * Windows. So there are no stale locks, no ids of processes to guess from, and of two processes
 * that start at once exactly one gets it. The file stays; it means nothing by being there.
 */
export class DirectoryLock implements Disposable {
  private constructor(private readonly database: DatabaseSync) {}

  /**
   * Takes the lock, or answers undefined when another process has it.
   * @throws when the directory cannot be written.
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
