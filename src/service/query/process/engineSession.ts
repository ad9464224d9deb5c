import { toSqlLiteral } from '../../../core/model/sqlTokens';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { JobLimits } from '../jobMessages';
import type { ReadingsFiles } from '../queryJob';
import { damagedFiles, exhausted, isOutOfMemory } from './jobError';
import { readingsView, sqlTexts } from './readingsSql';

/** In-memory database that exists only for the job. */
export interface EngineSession extends Disposable {
  connection: DuckDBConnection;
  /**
   * Opens another connection, which can read a result while other results are being read. The
   * caller must close the connection.
   */
  connect: () => Promise<DuckDBConnection>;
}

const NOTHING_LOADED = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
};

/** Database that no job uses yet, and the limits that it was created with. */
interface EmptyEngine {
  readonly instance: DuckDBInstance;
  readonly limits: JobLimits | undefined;
}

/**
 * Source of empty databases. Creating a database takes longer than many queries, so a process
 * creates the database for the next job in advance.
 */
export class EngineSource {
  private spare: Promise<EmptyEngine> | undefined;

  /**
   * Starts to create a database for the next job, in another thread.
   * @param limits limits that the next job probably has. If absent, the job sets them, which takes
   *   several milliseconds in a process that has used much memory, because DuckDB then returns
   *   unused memory to the operating system.
   */
  prepare(limits?: JobLimits): void {
    this.spare ??= createEngine(limits);
    // The job that takes the database reports the error.
    this.spare.catch(() => undefined);
  }

  /** Returns a database with these limits that no other job uses. The caller must close it. */
  async take(limits: JobLimits): Promise<DuckDBInstance> {
    const engine = this.spare ?? createEngine(limits);
    this.spare = undefined;
    const { instance, limits: current } = await engine;
    if (!isDeepStrictEqual(current, limits)) await setLimits(instance, limits);
    return instance;
  }
}

async function createEngine(limits: JobLimits | undefined): Promise<EmptyEngine> {
  const instance = await DuckDBInstance.create(':memory:', {
    ...NOTHING_LOADED,
    temp_directory: '',
    // With more threads, the database would start them before the limits are known.
    threads: String(limits?.threads ?? 1),
    ...(limits && { memory_limit: formatMemoryLimit(limits) }),
  });
  return { instance, limits };
}

async function setLimits(instance: DuckDBInstance, limits: JobLimits): Promise<void> {
  try {
    const connection = await instance.connect();
    await connection.run(
      `SET threads = ${String(limits.threads)}; SET memory_limit = '${formatMemoryLimit(limits)}'`,
    );
    connection.closeSync();
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

function formatMemoryLimit({ memoryBytes }: JobLimits): string {
  return `${String(Math.floor(memoryBytes / 1024))}KiB`;
}

/**
 * Opens an empty database that can read and write any file that the process can access.
 * @param options.spillFolder folder for data that doesn't fit into memory. If absent, queries that
 *   require the folder fail.
 */
export async function openEngine(
  limits: JobLimits,
  { spillFolder, engines = new EngineSource() }: { spillFolder?: string; engines?: EngineSource },
): Promise<EngineSession> {
  const instance = await engines.take(limits);
  const connection = await instance.connect().catch((error: unknown) => {
    instance.closeSync();
    throw error;
  });
  const session = {
    connection,
    connect: () => instance.connect(),
    [Symbol.dispose]: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
  try {
    await connection.run(`
      ${spillFolder === undefined ? '' : `SET temp_directory = ${toSqlLiteral(spillFolder)};`}
      SET TimeZone = 'UTC'`);
    return session;
  } catch (error) {
    session[Symbol.dispose]();
    throw error;
  }
}

/**
 * Opens a database with a view `readings` that contains the rows of these files. Queries can't
 * read, write, load, or set anything else. The working directory of the process becomes the folder
 * that contains the files.
 * @param view options for `readingsView`, and the source of the database.
 */
export async function openReadings(
  readings: ReadingsFiles,
  limits: JobLimits,
  { engines, ...view }: { hasIds?: boolean | undefined; engines?: EngineSource } = {},
): Promise<EngineSession> {
  process.chdir(readings.directory);
  const session = await openEngine(limits, { ...(engines && { engines }) });
  try {
    const { connection } = session;
    // The order matters. Once access is disabled, the list of files can't be changed.
    await connection.run(`SET allowed_paths = [${sqlTexts([...readings.files, ...(readings.cold?.files ?? [])])}];
      SET enable_external_access = false`);
    await connection.run(readingsView(readings, view)).catch((error: unknown) => {
      // The statement itself is valid, so a bind error is caused by the files.
      throw isOutOfMemory(error) ? error : damagedFiles({ cause: error });
    });
    await connection.run('SET errors_as_json = true; SET lock_configuration = true');
    return session;
  } catch (error) {
    session[Symbol.dispose]();
    throw error;
  }
}

/** Folder for data that doesn't fit into memory. It is inside the target folder. */
const SPILL_FOLDER = '.spill';
const UNFINISHED = '.tmp';
const DISK_FULL = /No space left on device|disk quota|not enough space/i;
const EXTENSION = '.parquet';
/** The limits are low because the job runs concurrently with work that users are waiting for. */
const LIMITS = { memoryBytes: 400_000_000, threads: 1 };

/** DuckDB session on one folder, for the service's own jobs. It never runs user-provided SQL. */
export class TrustedSession implements AsyncDisposable {
  private constructor(
    private readonly engine: EngineSession,
    readonly directory: string,
  ) {}

  static async open(directory: string): Promise<TrustedSession> {
    return new TrustedSession(
      await openEngine(LIMITS, { spillFolder: join(directory, SPILL_FOLDER) }),
      directory,
    );
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

  /** Returns a query's rows as objects keyed by column name. */
  async rows(sql: string): Promise<Record<string, unknown>[]> {
    const reader = await this.engine.connection.runAndReadAll(sql);
    return reader.getRowObjectsJS();
  }

  /**
   * Writes a query's rows to a file, atomically and durably.
   * @returns the file size in bytes.
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
