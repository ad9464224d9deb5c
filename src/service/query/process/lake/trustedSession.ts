import { rename, rm, stat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { exhausted } from '../jobError';

/** Where what does not fit into memory goes, in the folder that is written to. */
const SPILL_FOLDER = '.spill';
const UNFINISHED = '.tmp';
const DISK_FULL = /No space left on device|disk quota|not enough space/i;
const EXTENSION = '.parquet';

/** DuckDB over one folder, for jobs of the service itself: nothing that a user wrote runs here. */
export class TrustedSession implements AsyncDisposable {
  private constructor(
    private readonly instance: DuckDBInstance,
    private readonly connection: DuckDBConnection,
    readonly directory: string,
  ) {}

  static async open(directory: string): Promise<TrustedSession> {
    const instance = await DuckDBInstance.create(':memory:', {
      temp_directory: join(directory, SPILL_FOLDER),
      memory_limit: '400MB',
      threads: '1',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    });
    return new TrustedSession(instance, await instance.connect(), directory);
  }

  /** @throws JobError ResourceExhausted when the disk is full. */
  async run(sql: string): Promise<void> {
    try {
      await this.connection.run(sql);
    } catch (error) {
      if (error instanceof Error && DISK_FULL.test(error.message)) {
        throw exhausted('the disk of the fleet service is full: nothing was changed', {
          cause: error,
        });
      }
      throw error;
    }
  }

  /** The rows of a query, by column. */
  async rows(sql: string): Promise<Record<string, unknown>[]> {
    const reader = await this.connection.runAndReadAll(sql);
    return reader.getRowObjectsJS();
  }

  /**
   * Writes the rows of a query to a file, which is there whole and for good, or not at all.
   * @returns its size in bytes.
   */
  async write(query: string, name: string): Promise<number> {
    const path = join(this.directory, name);
    const unfinished = path + UNFINISHED;
    try {
      await this.run(`copy (${query}) to ${quoted(unfinished)} (format parquet, compression zstd)`);
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
    this.connection.closeSync();
    this.instance.closeSync();
    await rm(join(this.directory, SPILL_FOLDER), { recursive: true, force: true });
  }
}

/** The name of the file with a day's readings. */
export function fileName(prefix: string, day: number): string {
  return `${prefix}-${String(day)}${EXTENSION}`;
}

/** A text as SQL writes it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
