import type { TextEdit } from '../../documents/textEdit';
import { modelIdentifiers } from '../generate/modelIdentifiers';
import type { ModuleChoices } from '../generate/moduleChoices';
import {
  type GeneratedFile,
  getModelSource,
  modelFiles,
  type TemplateFile,
} from '../generate/moduleFiles';
import { describeModel } from '../generate/templateValues';
import { addModelEntry } from '../manifest/addModelEntry';
import { parseManifest } from '../manifest/parseManifest';
import { registerModel } from './registerModel';

/** Texts and paths of a module to which a model is added. */
export interface ModuleSources {
  readonly manifest: string;
  /** Text of the file that registers the module's models. */
  readonly main: string;
  /** Paths of all files in the module, with `/`. */
  readonly paths: ReadonlySet<string>;
}

/** Changes that add a model to a module. */
export interface ModelAddition {
  readonly files: readonly GeneratedFile[];
  /** Path of the model's code, which is one of the added files. */
  readonly source: string;
  readonly manifestEdits: readonly TextEdit[];
  readonly mainEdits: readonly TextEdit[];
}

/** Reasons why a model can't be added under a name. */
export type ModelNameConflict = 'modelTaken' | 'fileTaken';

/**
 * Finds the reason why a model can't be added: another model has the same name or the same file.
 */
export function findModelConflict(
  choices: ModuleChoices,
  { manifest, paths }: Pick<ModuleSources, 'manifest' | 'paths'>,
): ModelNameConflict | undefined {
  const { models = [] } = parseManifest(manifest).manifest ?? {};
  const { model } = describeModel(choices);
  if (models.some((present) => present.model === model)) return 'modelTaken';
  // On case-insensitive file systems, names that differ only in case refer to the same file.
  const source = getModelSource(choices).toLowerCase();
  return [...paths].some((path) => path.toLowerCase() === source) ? 'fileTaken' : undefined;
}

/** File that can't be edited to add a model. */
export type UnreadableSource = 'main' | 'manifest';

/**
 * Returns the changes that add a model to a generated module, or the file that has no suitable
 * insertion position. Doesn't replace existing files.
 */
export function addModel(
  choices: ModuleChoices,
  templates: readonly TemplateFile[],
  { manifest, main, paths }: ModuleSources,
): ModelAddition | UnreadableSource {
  const { modelName, api, language } = choices;
  const identifiers = modelIdentifiers(modelName, api.noun, language);
  const mainEdits = registerModel(main, language, identifiers);
  if (!mainEdits) return 'main';
  const manifestEdits = addModelEntry(manifest, describeModel(choices));
  if (!manifestEdits) return 'manifest';
  return {
    files: modelFiles(choices, templates).filter(({ path }) => !paths.has(path)),
    source: getModelSource(choices),
    manifestEdits,
    mainEdits,
  };
}
