import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { JobLimits } from '../jobMessages';

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

/**
 * Opens an empty database that can read and write any file that the process can access.
 * @param spillFolder folder for data that doesn't fit in memory. If absent, queries that need the
 *   folder fail.
 */
export async function openEngine(
  { threads, memoryBytes }: JobLimits,
  spillFolder = '',
): Promise<EngineSession> {
  const instance = await DuckDBInstance.create(':memory:', {
    ...NOTHING_LOADED,
    threads: String(threads),
    memory_limit: `${String(Math.floor(memoryBytes / 1024))}KiB`,
    temp_directory: spillFolder,
  });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  return {
    connection,
    connect: () => instance.connect(),
    [Symbol.dispose]: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
