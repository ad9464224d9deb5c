import { rename, rm, stat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { type EngineSession, openEngine } from '../engineSession';
import { exhausted } from '../jobError';
import { toSqlLiteral } from '../toSqlLiteral';

/** Folder for data that doesn't fit in memory, inside the target folder. */
const SPILL_FOLDER = '.spill';
const UNFINISHED = '.tmp';
const DISK_FULL = /No space left on device|disk quota|not enough space/i;
const EXTENSION = '.parquet';
/** Low limits, because the job runs concurrently with work that users are waiting for. */
const LIMITS = { memoryBytes: 400_000_000, threads: 1 };

/** DuckDB session on one folder, for the service's own jobs. It never runs user-provided SQL. */
export class TrustedSession implements AsyncDisposable {
  private constructor(
    private readonly engine: EngineSession,
    readonly directory: string,
  ) {}

  static async open(directory: string): Promise<TrustedSession> {
    return new TrustedSession(await openEngine(LIMITS, join(directory, SPILL_FOLDER)), directory);
  }

  /** @throws JobError ResourceExhausted if the disk is full. */
  async run(sql: string): Promise<void> {
    try {
      await this.engine.connection.run(sql);
    } catch (error) {
      if (error instanceof Error && DISK_FULL.test(error.message)) {
        throw exhausted('the disk of the fleet service is full: nothing was changed', {
          cause: error,
        });
      }
      throw error;
    }
  }

  /** Returns the rows of a query as objects keyed by column name. */
  async rows(sql: string): Promise<Record<string, unknown>[]> {
    const reader = await this.engine.connection.runAndReadAll(sql);
    return reader.getRowObjectsJS();
  }

  /**
   * Writes the rows of a query to a file, atomically and durably.
   * @returns the size of the file in bytes.
   */
  async write(query: string, name: string): Promise<number> {
    const path = join(this.directory, name);
    const unfinished = path + UNFINISHED;
    try {
      await this.run(
        `copy (${query}) to ${toSqlLiteral(unfinished)} (format parquet, compression zstd)`,
      );
      await using file = await open(unfinished, 'r+');
      await file.sync();
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    if (process.platform !== 'win32') {
      await using folder = await open(this.directory);
      await folder.sync();
    }
    return (await stat(path)).size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.engine[Symbol.dispose]();
    await rm(join(this.directory, SPILL_FOLDER), { recursive: true, force: true });
  }
}

/** Returns the name of the file that contains a day's readings. */
export function fileName(prefix: string, day: number): string {
  return `${prefix}-${String(day)}${EXTENSION}`;
}
