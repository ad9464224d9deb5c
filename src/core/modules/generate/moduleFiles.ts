import type { ModuleApi, ModuleLanguage } from './moduleApi';

/** Template file of a language. */
export interface TemplateFile {
  /** Path relative to the language's folder, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** File of a generated module. */
export interface GeneratedFile {
  /** Path relative to the module's folder, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly isExecutable: boolean;
}

/** Extension of template files, so that tools don't process them as files of their target type. */
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
 * Returns the files of a new module, sorted by path. A language's templates are in the folders
 * `base` (files for every module), `apis/<key>` (files for one API), and `proto` (declarations, of
 * which a module gets only those that it needs).
 *
 * @param templates all files for the language
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
 * Returns the files for one model: its code, its test, and its API's declarations, sorted by path.
 *
 * @param templates all files for the language
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

/** Returns the path of a model's code. */
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

/** Entry in a manifest's list of models. */
export interface ModelEntry {
  readonly api: string;
  readonly model: string;
  readonly short_description: string;
}

/** Returns the manifest entry for a model. */
export function describeModel({
  namespace,
  moduleName,
  modelName,
  api,
}: ModuleChoices): ModelEntry {
  return {
    api: api.triplet,
    model: `${namespace}:${moduleName}:${modelName}`,
    // Omit the model's name, which defaults to the API's name, to avoid "sensor sensor".
    short_description: `The ${api.title} of ${moduleName}.`,
  };
}

/**
 * Returns the values for the placeholders in templates. User-defined names are inserted into code
 * only as quoted strings.
 */
function templateValues(
  choices: ModuleChoices,
  { className, constant, fileName }: ModelIdentifiers,
): Readonly<Record<string, string>> {
  const { namespace, moduleName, modelName, api } = choices;
  const { model: modelTriplet, short_description: descriptionText } = describeModel(choices);
  return {
    moduleName,
    modelTriplet,
    descriptionText,
    className,
    fileName,
    modelConstant: constant,
    apiTitle: /^(?:a|e|i|o|u)/.test(api.title) ? `an ${api.title}` : `a ${api.title}`,
    apiTriplet: api.triplet,
    packageName: quoted(moduleName.toLowerCase().replace(/^[^a-z0-9]+/, '') || 'module'),
    moduleId: quoted(`${namespace}:${moduleName}`),
    model: quoted(modelTriplet),
    api: quoted(api.triplet),
    description: quoted(descriptionText),
    modelDescription: quoted(descriptionText),
    exampleName: quoted(`${modelName}-1`),
    exampleAttributes: exampleAttributes(api),
    attributeRows: attributeRows(api),
  };
}

function exampleAttributes({ attributes }: ModuleApi): string {
  const examples = Object.entries(attributes).map(([name, { example }]) => [name, example]);
  return JSON.stringify(Object.fromEntries(examples), undefined, 2).replaceAll('\n', '\n  ');
}

function attributeRows({ attributes }: ModuleApi): string {
  const rows = Object.entries(attributes).map(
    ([name, { description }]) => `| \`${name}\` | ${description} |`,
  );
  return rows.length > 0 ? rows.join('\n') : '| – | It has none until you read some. |';
}

/** Formats text as a quoted string that is valid in JSON, TypeScript, and Python. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Identifiers for a model in code. */
export interface ModelIdentifiers {
  readonly className: string;
  /** Name of the model's constant, for use in the file that registers the models. */
  readonly constant: string;
  /** File name without its extension. */
  readonly fileName: string;
}

/** Names in the templates that a generated class name could collide with. */
const TAKEN: ReadonlySet<string> = new Set(['GenericService', 'ResourceBase']);

/**
 * Derives identifiers from a model's name, which can contain any characters. The identifiers keep
 * the name's letters and digits, and end with the API's noun.
 */
export function modelIdentifiers(
  modelName: string,
  noun: readonly string[],
  language: ModuleLanguage,
): ModelIdentifiers {
  const words = toIdentifierWords(modelName, noun);
  const className = words.map(capitalized).join('');
  const constant = className.charAt(0).toLowerCase() + className.slice(1);
  return {
    className,
    constant,
    fileName: language === 'python' ? words.join('_').toLowerCase() : constant,
  };
}

function toIdentifierWords(modelName: string, noun: readonly string[]): readonly string[] {
  const own = modelName
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  const endsWithNoun = folded(own.slice(-noun.length)) === folded(noun);
  const words = [...(endsWithNoun ? own.slice(0, -noun.length) : own), ...noun];
  const needsMore =
    words.length === noun.length ||
    /^[0-9]/.test(words[0] ?? '') ||
    TAKEN.has(words.map(capitalized).join(''));
  return needsMore ? ['My', ...words] : words;
}

function folded(words: readonly string[]): string {
  return words.join(' ').toLowerCase();
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/**
 * Parameters for a generated module. Names contain only letters, digits, dashes, and underscores.
 */
export interface ModuleChoices {
  /** The organization's namespace, or its ID if it has no namespace yet. */
  readonly namespace: string;
  readonly moduleName: string;
  readonly modelName: string;
  readonly api: ModuleApi;
  readonly language: ModuleLanguage;
}
