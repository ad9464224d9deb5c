import type { BuildFacts } from '../buildFacts';

/**
 * File that a training job starts. An archive can contain it inside one folder, as in Python source
 * packages.
 */
export const TRAINING_FILE = 'model/training.py';

/**
 * Returns true if a folder or archive contains the file that a training job starts. @param facts
 * facts about the build, inspected with that file as the entrypoint
 */
export function hasTrainingFile({ entrypoint }: Pick<BuildFacts, 'entrypoint'>): boolean {
  if (!entrypoint) return false;
  const { state, candidates } = entrypoint;
  // Python reads the script, so the script needs no execute permission.
  if (state === 'ok' || state === 'notExecutable') return true;
  const depth = TRAINING_FILE.split('/').length + 1;
  return candidates.some(
    (path) => path.endsWith(`/${TRAINING_FILE}`) && path.split('/').length === depth,
  );
}
