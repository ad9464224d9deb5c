import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import type { JobLimits } from '../jobMessages';
import type { ReadingsFiles } from '../readingsFiles';
import { readingsView } from './readingsView';

/** A database of its own in memory, which goes with the job. */
export interface Session extends Disposable {
  connection: DuckDBConnection;
}

const NOTHING_LOADED = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
};

/** Opens an empty database that reads and writes whatever files the process may. */
export async function openSession({ threads, memoryBytes }: JobLimits): Promise<Session> {
  const instance = await DuckDBInstance.create(':memory:', {
    ...NOTHING_LOADED,
    threads: String(threads),
    memory_limit: `${String(Math.floor(memoryBytes / 1024))}KiB`,
    // What does not fit is refused: queries leave nothing on the disk.
    temp_directory: '',
  });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  return {
    connection,
    [Symbol.dispose]: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/**
 * Opens a database whose view `readings` has the rows of these files, and in which nothing else can
 * be read, written, loaded or set. The process stays in the folder of the files.
 */
export async function openReadings(readings: ReadingsFiles, limits: JobLimits): Promise<Session> {
  process.chdir(readings.directory);
  const session = await openSession(limits);
  try {
    const { connection } = session;
    // The order matters: once access is off, the list of files is as it is.
    await connection.run(`SET allowed_paths = ${listOf(readings.files)}`);
    await connection.run('SET enable_external_access = false');
    await connection.run(readingsView(readings));
    await connection.run('SET errors_as_json = true');
    await connection.run('SET lock_configuration = true');
    return session;
  } catch (error) {
    session[Symbol.dispose]();
    throw error;
  }
}

function listOf(names: readonly string[]): string {
  return `[${names.map((name) => `'${name.replaceAll("'", "''")}'`).join(', ')}]`;
}
