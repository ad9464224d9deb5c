import { join } from 'node:path';
import { toEnvironmentMarker } from './scriptEnvironment';
import { endMarked } from './scriptProcesses';

const OWN_FOLDER = 'custom';
const TEMPORARY = 'tmp';

/** Returns the folders of a script within the folder of its training job. */
export function scriptRoot(trainingFolder: string): { root: string; temporary: string } {
  const root = join(trainingFolder, OWN_FOLDER);
  return { root, temporary: join(root, TEMPORARY) };
}

/**
 * Terminates the remaining processes of a script in the folder of its training job. A service that
 * was killed couldn't terminate them.
 */
export async function endLeftScript(trainingFolder: string): Promise<void> {
  await endMarked(toEnvironmentMarker(scriptRoot(trainingFolder)));
}
