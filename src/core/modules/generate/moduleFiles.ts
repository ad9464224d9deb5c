import { modelIdentifiers } from './modelIdentifiers';
import type { ModuleChoices } from './moduleChoices';
import { templateValues } from './templateValues';

/** Template file of a language. */
export interface TemplateFile {
  /** Path relative to the folder of the language, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** File of a generated module. */
export interface GeneratedFile {
  /** Path relative to the folder of the module, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly isExecutable: boolean;
}

/**
 * Extension of templates, which prevents tools from processing them as files of their target type.
 */
const ENDING = '.tmpl';
/**
 * Placeholder in paths for the dot of hidden files, because extension packages exclude hidden
 * files.
 */
const HIDDEN = /(^|\/)DOT\./;
/** Placeholder in paths for the name of the model's file. */
const MODEL = 'MODEL';
/** Protocols that the TypeScript template serves in every module. */
const PROTOCOL = [
  'module/v1/module.proto',
  'grpc/reflection/v1/reflection.proto',
  'grpc/reflection/v1alpha/reflection.proto',
];

/**
 * Returns the files of a new module, sorted by path. The templates of a language are in the folders
 * `base` (files of every module), `apis/<key>` (files for one API), and `proto` (declarations, of
 * which a module gets only those that it needs).
 *
 * @param templates all files of the language
 */
export function moduleFiles(
  choices: ModuleChoices,
  templates: readonly TemplateFile[],
): readonly GeneratedFile[] {
  const files = withoutEndings(templates);
  return render(choices, [
    ...below(files, 'base/'),
    ...below(files, `apis/${choices.api.key}/`),
    ...selectProtos(files, [...PROTOCOL, choices.api.proto]),
  ]);
}

/**
 * Returns the files of one model: its code, its test, and the declarations of its API, sorted by
 * path.
 *
 * @param templates all files of the language
 */
export function modelFiles(
  choices: ModuleChoices,
  templates: readonly TemplateFile[],
): readonly GeneratedFile[] {
  const files = withoutEndings(templates);
  return render(choices, [
    ...below(files, `apis/${choices.api.key}/`),
    ...selectProtos(files, [choices.api.proto]),
  ]);
}

/** Returns the path of the code of a model. */
export function getModelSource({ modelName, api, language }: ModuleChoices): string {
  const { fileName } = modelIdentifiers(modelName, api.noun, language);
  return `src/${fileName}.${language === 'python' ? 'py' : 'ts'}`;
}

function render(choices: ModuleChoices, files: readonly TemplateFile[]): readonly GeneratedFile[] {
  const identifiers = modelIdentifiers(choices.modelName, choices.api.noun, choices.language);
  const values = templateValues(choices, identifiers);
  return files
    .map(({ path, text }) => ({
      path: path.replace(HIDDEN, '$1.').replace(MODEL, identifiers.fileName),
      text: renderTemplate(text, values),
      isExecutable: path.endsWith('.sh'),
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function selectProtos(
  files: readonly TemplateFile[],
  entries: readonly string[],
): readonly TemplateFile[] {
  const protos = below(files, 'proto/');
  const needed = protoClosure(entries, new Map(protos.map(({ path, text }) => [path, text])));
  return protos
    .filter(({ path }) => needed.has(path))
    .map(({ path, text }) => ({ path: `proto/${path}`, text }));
}

function below(files: readonly TemplateFile[], folder: string): readonly TemplateFile[] {
  return files
    .filter(({ path }) => path.startsWith(folder))
    .map(({ path, text }) => ({ path: path.slice(folder.length), text }));
}

function withoutEndings(templates: readonly TemplateFile[]): readonly TemplateFile[] {
  return templates.map(({ path, text }) => ({
    path: path.endsWith(ENDING) ? path.slice(0, -ENDING.length) : path,
    text,
  }));
}

/**
 * Replaces the placeholders `{{name}}` in a template with values. Inserts the values unchanged,
 * because values that are strings in the file already have quotes.
 *
 * @throws Error for a name without a value, which is a bug in the template
 */
export function renderTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The template has an unknown placeholder "${name}".`);
    return value;
  });
}

/**
 * Returns declarations and everything that they import, if available. The protocol compiler
 * includes the missing imports.
 *
 * @param texts declarations by path
 */
export function protoClosure(
  entries: readonly string[],
  texts: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const needed = new Set(entries);
  for (const path of needed) {
    const text = texts.get(path) ?? '';
    for (const [, imported] of text.matchAll(/^import "([^"]+)";$/gm)) {
      if (imported !== undefined && texts.has(imported)) needed.add(imported);
    }
  }
  return needed;
}
