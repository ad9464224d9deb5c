import type { PackageEntry } from '../../model/packageFile';
import type { ModelFramework } from '../../model/registryItem';

/** Files of a model that a machine reads, as paths in its package. */
export interface ModelFiles {
  /** Format to run. The package can contain more than one. */
  readonly framework: ModelFramework;
  /** Path of a file or folder; empty for the whole package. */
  readonly model: string;
  readonly labels: string | undefined;
}

/** Patterns for the files of each format, most widely supported format first. */
const ENDINGS: readonly (readonly [Exclude<ModelFramework, 'unspecified'>, RegExp])[] = [
  ['tflite', /\.tflite$/i],
  ['onnx', /\.onnx$/i],
  ['tensorflow', /(?:^|\/)saved_model\.pb$/i],
  ['pytorch', /\.pth?$/i],
];
const LABELS = /(?:^|\/)labels?\.txt$/i;

/**
 * Suffixes that training jobs of the public service append to a model's name to form its file name.
 */
const USUAL_ENDINGS: Readonly<Partial<Record<ModelFramework, string>>> = {
  tflite: '.tflite',
  onnx: '.onnx',
  pytorch: '.pt',
};

/**
 * Returns the files in a package that a machine reads. The format that the package declares takes
 * precedence over other formats that it contains.
 * @param name name of the model, from which the file names are inferred if the files are unknown
 * @returns undefined if machines can't run any of the files
 */
export function modelFiles(
  entries: readonly PackageEntry[],
  framework: ModelFramework,
  name: string,
): ModelFiles | undefined {
  return selectModelFiles(entries, framework) ?? usualFiles(entries, framework, name);
}

/**
 * Infers the usual files of a model. A single entry that isn't a model represents the archive
 * itself, whose contents are unknown.
 */
function usualFiles(
  entries: readonly PackageEntry[],
  framework: ModelFramework,
  name: string,
): ModelFiles | undefined {
  const ending = USUAL_ENDINGS[framework];
  if (entries.length > 1 || ending === undefined) return undefined;
  return { framework, model: `${name}${ending}`, labels: 'labels.txt' };
}

function selectModelFiles(
  entries: readonly PackageEntry[],
  framework: ModelFramework,
): ModelFiles | undefined {
  const files = entries
    .filter(({ isDirectory }) => !isDirectory)
    .map(({ name }) => name.replace(/^\.\//, ''))
    .toSorted((one, other) => getPathDepth(one) - getPathDepth(other) || (one < other ? -1 : 1));
  const labels = files.find((file) => LABELS.test(file));
  const preferred = ENDINGS.filter(([one]) => one === framework);
  for (const [format, ending] of [...preferred, ...ENDINGS]) {
    const file = files.find((one) => ending.test(one));
    if (file === undefined) continue;
    // For a saved model, the path is the folder that contains the file.
    const model = format === 'tensorflow' ? file.replace(/\/?saved_model\.pb$/i, '') : file;
    return { framework: format, model, labels };
  }
  return undefined;
}

function getPathDepth(path: string): number {
  return path.split('/').length;
}
