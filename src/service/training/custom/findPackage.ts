import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TrainingFailure } from '../trainingRunner';

/** Python module to run. */
export const TRAINING_MODULE = 'model.training';
const FILE = join('model', 'training.py');

/**
 * Finds the package in an unpacked archive, either at the top level or in a folder, as in archives
 * created with `python3 -m build` or `setup.py sdist`.
 * @returns the folder in which Python finds the module.
 * @throws TrainingFailure
 */
export async function findPackage(folder: string): Promise<string> {
  if (await isFile(join(folder, FILE))) return folder;
  const entries = await readdir(folder, { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isDirectory())) {
    if (await isFile(join(folder, entry.name, FILE))) found.push(entry.name);
  }
  const [only, ...others] = found.sort();
  if (only === undefined) {
    throw new TrainingFailure(
      'The training script has no file model/training.py, neither at the top of its archive nor in a top-level folder. ' +
        'Upload a version that has the file, which runs as python3 -m model.training.',
    );
  }
  if (others.length > 0) {
    throw new TrainingFailure(
      `The training script has the file model/training.py in several folders: ${found.join(', ')}. Upload a version with one.`,
    );
  }
  return join(folder, only);
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}
