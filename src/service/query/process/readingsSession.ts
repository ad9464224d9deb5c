import type { JobLimits } from '../jobMessages';
import type { ReadingsFiles } from '../readingsFiles';
import { type EngineSession, openEngine } from './engineSession';
import { isOutOfMemory } from './engineError';
import { damagedFiles } from './jobError';
import { readingsView } from './readingsView';
import { sqlTexts } from './toSqlLiteral';

/**
 * Opens a database with a view `readings` that contains the rows of these files. Queries can't
 * read, write, load, or set anything else. The working directory of the process becomes the folder
 * of the files.
 * @param view options of `readingsView`.
 */
export async function openReadings(
  readings: ReadingsFiles,
  limits: JobLimits,
  view: { hasIds?: boolean | undefined } = {},
): Promise<EngineSession> {
  process.chdir(readings.directory);
  const session = await openEngine(limits);
  try {
    const { connection } = session;
    // The order matters. Once access is disabled, the list of files can't be changed.
    await connection.run(`SET allowed_paths = [${sqlTexts(readings.files)}]`);
    await connection.run('SET enable_external_access = false');
    await connection.run(readingsView(readings, view)).catch((error: unknown) => {
      // The statement itself is valid, so a bind error is caused by the files.
      throw isOutOfMemory(error) ? error : damagedFiles({ cause: error });
    });
    await connection.run('SET errors_as_json = true');
    await connection.run('SET lock_configuration = true');
    return session;
  } catch (error) {
    session[Symbol.dispose]();
    throw error;
  }
}
