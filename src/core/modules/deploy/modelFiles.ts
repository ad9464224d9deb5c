import type { PackageEntry } from '../../model/packageFile';
import type { ModelFramework } from '../../model/registryItem';

/** The files of a model that a machine reads, as paths inside its package. */
export interface ModelFiles {
  /** The format that is run, which the package may have besides others. */
  readonly framework: ModelFramework;
  /** A file, or a folder; empty for all of the package. */
  readonly model: string;
  readonly labels: string | undefined;
}

/** How the files of each format end, those that run on the most machines first. */
const ENDINGS: readonly (readonly [Exclude<ModelFramework, 'unspecified'>, RegExp])[] = [
  ['tflite', /\.tflite$/i],
  ['onnx', /\.onnx$/i],
  ['tensorflow', /(?:^|\/)saved_model\.pb$/i],
  ['pytorch', /\.pth?$/i],
];
const LABELS = /(?:^|\/)labels?\.txt$/i;

/**
 * What of a package a machine reads. The format that the package says it is in goes before others that it
 * has files of.
 * @returns undefined when no file is one that machines run
 */
export function modelFiles(
  entries: readonly PackageEntry[],
  framework: ModelFramework,
): ModelFiles | undefined {
  const files = entries
    .filter(({ isDirectory }) => !isDirectory)
    .map(({ name }) => name.replace(/^\.\//, ''))
    .toSorted((one, other) => depthOf(one) - depthOf(other) || (one < other ? -1 : 1));
  const labels = files.find((file) => LABELS.test(file));
  const said = ENDINGS.filter(([one]) => one === framework);
  for (const [format, ending] of [...said, ...ENDINGS]) {
    const file = files.find((one) => ending.test(one));
    if (file === undefined) continue;
    // A saved model is the folder that it is in.
    const model = format === 'tensorflow' ? file.replace(/\/?saved_model\.pb$/i, '') : file;
    return { framework: format, model, labels };
  }
  return undefined;
}

function depthOf(path: string): number {
  return path.split('/').length;
}
