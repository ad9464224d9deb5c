import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { JobLimits } from '../jobMessages';

/** A database of its own in memory, which goes with the job. */
export interface EngineSession extends Disposable {
  connection: DuckDBConnection;
  /** Another connection, for a result that is read while others are. The caller closes it. */
  connect: () => Promise<DuckDBConnection>;
}

const NOTHING_LOADED = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
};

/**
 * Opens an empty database that reads and writes whatever files the process may.
 * @param spillFolder where what does not fit into memory goes; absent, it is refused.
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
