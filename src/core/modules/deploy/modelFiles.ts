import type { PackageEntry } from '../../model/packageFile';
import type { ModelFramework } from '../../model/registryItem';

/** Files of a model that a machine reads, as paths in its package. */
export interface ModelFiles {
  /** Format to run, which can be one of several in the package. */
  readonly framework: ModelFramework;
  /** Path of a file or a folder; empty for the whole package. */
  readonly model: string;
  readonly labels: string | undefined;
}

/** File extensions of each format, the most widely supported first. */
const ENDINGS: readonly (readonly [Exclude<ModelFramework, 'unspecified'>, RegExp])[] = [
  ['tflite', /\.tflite$/i],
  ['onnx', /\.onnx$/i],
  ['tensorflow', /(?:^|\/)saved_model\.pb$/i],
  ['pytorch', /\.pth?$/i],
];
const LABELS = /(?:^|\/)labels?\.txt$/i;

/** File name suffixes that trainings of the public service use, after the name of the model. */
const USUAL_ENDINGS: Readonly<Partial<Record<ModelFramework, string>>> = {
  tflite: '.tflite',
  onnx: '.onnx',
  pytorch: '.pt',
};

/**
 * Returns the files of a package that a machine reads. The format that the package declares takes
 * precedence over others that it contains.
 * @param name name of the model, from which its file names are inferred if the files are unknown
 * @returns undefined if machines can't run any of the files
 */
export function modelFiles(
  entries: readonly PackageEntry[],
  framework: ModelFramework,
  name: string,
): ModelFiles | undefined {
  return selectModelFiles(entries, framework) ?? usualFiles(entries, framework, name);
}

/** A single entry that isn't a model represents the archive itself: its contents are unknown. */
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
  const said = ENDINGS.filter(([one]) => one === framework);
  for (const [format, ending] of [...said, ...ENDINGS]) {
    const file = files.find((one) => ending.test(one));
    if (file === undefined) continue;
    // A saved model is the folder that contains it.
    const model = format === 'tensorflow' ? file.replace(/\/?saved_model\.pb$/i, '') : file;
    return { framework: format, model, labels };
  }
  return undefined;
}

function getPathDepth(path: string): number {
  return path.split('/').length;
}
