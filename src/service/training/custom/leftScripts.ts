import { join } from 'node:path';
import { markOf } from './scriptEnvironment';
import { endMarked } from './scriptProcesses';

const OWN_FOLDER = 'custom';
const TEMPORARY = 'tmp';

/** Where a script has its own within the folder of its training. */
export function scriptRoot(trainingFolder: string): { root: string; temporary: string } {
  const root = join(trainingFolder, OWN_FOLDER);
  return { root, temporary: join(root, TEMPORARY) };
}

/** Ends what is left of a script in the folder of its training: a service that was killed ends nothing. */
export async function endLeftScript(trainingFolder: string): Promise<void> {
  await endMarked(markOf(scriptRoot(trainingFolder)));
}
