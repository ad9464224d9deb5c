import type { ModuleLanguage } from '../generate/moduleApi';
import type { ModuleManifest } from '../manifest/moduleManifest';

/**
 * Files that identify a generated module. The first one starts the module and registers its models.
 */
const FILES: Readonly<Record<ModuleLanguage, readonly [main: string, ...rest: string[]]>> = {
  typescript: ['src/main.ts', 'src/module/model.ts'],
  python: ['src/main.py', 'src/attributes.py'],
};

const LANGUAGES: readonly ModuleLanguage[] = ['typescript', 'python'];

/** Returns the file that registers the models of a module. */
export function getMainFile(language: ModuleLanguage): string {
  return FILES[language][0];
}

/**
 * Detects the language in which a module was generated; undefined if the module wasn't generated.
 *
 * @param paths paths of the module's files, with `/`
 */
export function findModuleLanguage(paths: ReadonlySet<string>): ModuleLanguage | undefined {
  return LANGUAGES.find((language) => FILES[language].every((path) => paths.has(path)));
}

/** First two parts of the names of a module's models: namespace and family. */
export interface ModelFamily {
  readonly namespace: string;
  readonly moduleName: string;
}

/** Finds the prefix of model names, taken from the first model or from the module's ID. */
export function findModelFamily({ models, moduleId }: ModuleManifest): ModelFamily | undefined {
  const [namespace = '', moduleName = ''] = (models[0]?.model || moduleId).trim().split(':');
  return namespace === '' || moduleName === '' ? undefined : { namespace, moduleName };
}
