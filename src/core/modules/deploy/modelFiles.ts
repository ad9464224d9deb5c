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

/** What trainings of the public service call their files, after the name of the model. */
const USUAL_ENDINGS: Readonly<Partial<Record<ModelFramework, string>>> = {
  tflite: '.tflite',
  onnx: '.onnx',
  pytorch: '.pt',
};

/**
 * What of a package a machine reads. The format that the package says it is in goes before others that it
 * has files of.
 * @param name of the model, by which its files most likely go where nobody told of them
 * @returns undefined when no file is one that machines run
 */
export function modelFiles(
  entries: readonly PackageEntry[],
  framework: ModelFramework,
  name: string,
): ModelFiles | undefined {
  return toldFiles(entries, framework) ?? usualFiles(entries, framework, name);
}

/** A single entry that is no model stands for the archive itself: what is in it was not told. */
function usualFiles(
  entries: readonly PackageEntry[],
  framework: ModelFramework,
  name: string,
): ModelFiles | undefined {
  const ending = USUAL_ENDINGS[framework];
  if (entries.length > 1 || ending === undefined) return undefined;
  return { framework, model: `${name}${ending}`, labels: 'labels.txt' };
}

function toldFiles(
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
