import type { BuildFacts } from '../buildFacts';

/** What a training job starts; in an archive also below one folder, as Python packs its sources. */
export const TRAINING_FILE = 'model/training.py';

/** Whether a folder or an archive has what a training job starts. @param facts with it as entrypoint */
export function hasTrainingFile({ entrypoint }: Pick<BuildFacts, 'entrypoint'>): boolean {
  if (!entrypoint) return false;
  const { state, candidates } = entrypoint;
  // A script is run by Python, and needs no permission of its own.
  if (state === 'ok' || state === 'notExecutable') return true;
  const depth = TRAINING_FILE.split('/').length + 1;
  return candidates.some(
    (path) => path.endsWith(`/${TRAINING_FILE}`) && path.split('/').length === depth,
  );
}
