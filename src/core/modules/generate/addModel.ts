import { modify, type Node } from 'jsonc-parser';
import type { TextEdit } from '../../documents/textEdit';
import { detectLineEnding, getIndent } from '../../documents/textLayout';
import {
  describeModel,
  type GeneratedFile,
  getModelSource,
  modelFiles,
  modelIdentifiers,
  type ModelIdentifiers,
  type ModuleChoices,
  type TemplateFile,
} from './moduleFiles';
import { parseManifest } from '../manifest/parseManifest';
import { detectFormatting } from '../manifest/detectFormatting';
import { findField } from '../manifest/manifestPath';
import type { ModuleLanguage } from './moduleApi';
import type { ModuleManifest } from '../manifest/moduleManifest';

/** Paths and file contents in a module to which a model is added. */
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
  /** Path of the model's code, one of the added files. */
  readonly source: string;
  readonly manifestEdits: readonly TextEdit[];
  readonly mainEdits: readonly TextEdit[];
}

/** Reasons that a model can't be added under a name. */
export type ModelNameConflict = 'modelTaken' | 'fileTaken';

/**
 * Returns the conflict that prevents a model from being added: another model has the same name or
 * the same file.
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

/** File in which no suitable position for adding a model was found. */
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

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/**
 * Returns the edits that add an entry to a manifest's models. The edits leave everything else in
 * the text unchanged, including comments and commas. Returns undefined if the text is invalid or
 * its models are not a list.
 */
export function addModelEntry(text: string, entry: object): readonly TextEdit[] | undefined {
  const { root } = parseManifest(text);
  if (root?.type !== 'object' || text[getNodeEnd(root) - 1] !== '}') return undefined;
  const models = findField(root, ['models'])?.value;
  if (!models) return addModels(text, entry);
  if (models.type !== 'array' || text[getNodeEnd(models) - 1] !== ']') return undefined;
  const last = models.children?.at(-1);
  return last ? append(text, models, last, entry) : [addFirst(text, models, entry)];
}

/** Adds a list with the entry to a manifest that has no list of models. */
function addModels(text: string, entry: object): readonly TextEdit[] {
  const options = { formattingOptions: detectFormatting(text) };
  return modify(text.replace(/^\uFEFF/, ' '), ['models'], [entry], options).map(
    ({ offset, length, content }) => ({ start: offset, end: offset + length, text: content }),
  );
}

/** Adds the entry to an empty list, after any comments in the list. */
function addFirst(text: string, models: Node, entry: object): TextEdit {
  const { eol, unit } = detectIndentation(text);
  const close = getNodeEnd(models) - 1;
  const textEnd = findTextEnd(text, close);
  const outer = getIndent(text, models.offset);
  const inner = `${outer}${unit}`;
  const value = format(entry, inner, unit, eol);
  return { start: textEnd, end: close, text: `${eol}${inner}${value}${eol}${outer}` };
}

/** Adds the entry after the last entry and its comments, with the same layout. */
function append(text: string, models: Node, last: Node, entry: object): readonly TextEdit[] {
  const { eol, unit } = detectIndentation(text);
  const close = getNodeEnd(models) - 1;
  const end = getNodeEnd(last);
  const tail = text.slice(end, close);
  const hasComma = tail.replace(COMMENT, '').includes(',');
  const indent = getIndent(text, end);
  const isLong = text.slice(last.offset, end).includes('\n');
  const value = isLong ? format(entry, indent, unit, eol) : formatInline(entry);
  const space = tail.includes('\n') ? `${eol}${indent}` : ' ';
  const textEnd = findTextEnd(text, close);
  const added = { start: textEnd, end: textEnd, text: `${space}${value}${hasComma ? ',' : ''}` };
  if (hasComma) return [added];
  if (textEnd === end) return [{ ...added, text: `,${added.text}` }];
  return [{ start: end, end, text: ',' }, added];
}

function format(entry: object, indent: string, unit: string, eol: string): string {
  return JSON.stringify(entry, undefined, unit).replaceAll('\n', `${eol}${indent}`);
}

/** Formats an object on one line with spaces. */
function formatInline(entry: object): string {
  const fields = Object.entries(entry).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `{ ${fields.join(', ')} }`;
}

function detectIndentation(text: string) {
  const { insertSpaces, tabSize = 2, eol = '\n' } = detectFormatting(text);
  return { eol, unit: insertSpaces ? ' '.repeat(tabSize) : '\t' };
}

/** Returns the end of the text before an offset, excluding white space. */
function findTextEnd(text: string, offset: number): number {
  return text.slice(0, offset).trimEnd().length;
}

function getNodeEnd({ offset, length }: Node): number {
  return offset + length;
}

/**
 * Import statement, which can span multiple lines. No line in a comment or string is expected to
 * start with `import`.
 */
const TYPESCRIPT_IMPORT = /^import\s[^"'`]*["'][^"'\n]*["'];?[^\n\r]*/gm;
const PYTHON_IMPORT = /^from \.\w+ import /m;
/** Comments, strings, and brackets, which must be recognized to find the end of the model list. */
const TOKEN = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[[\](){},]|[^\s]/g;

/**
 * Returns the edits to the main file that make a module serve an additional model; undefined if the
 * file doesn't register models in a known way.
 */
export function registerModel(
  text: string,
  language: ModuleLanguage,
  identifiers: ModelIdentifiers,
): readonly TextEdit[] | undefined {
  return language === 'python'
    ? registerInPython(text, identifiers)
    : registerInTypeScript(text, identifiers);
}

/**
 * Returns the edit for a Python module. Importing a class registers it. The new import is inserted
 * before the existing imports, which can span multiple lines.
 */
function registerInPython(
  text: string,
  { fileName, className }: ModelIdentifiers,
): readonly TextEdit[] | undefined {
  const start = PYTHON_IMPORT.exec(text)?.index;
  if (start === undefined) return undefined;
  const line = `from .${fileName} import ${className}  # noqa: F401${detectLineEnding(text)}`;
  return [{ start, end: start, text: line }];
}

function registerInTypeScript(
  text: string,
  { fileName, constant }: ModelIdentifiers,
): readonly TextEdit[] | undefined {
  const lastImport = [...text.matchAll(TYPESCRIPT_IMPORT)].at(-1);
  const added = addToList(text, constant);
  if (!lastImport || !added) return undefined;
  const quote = lastImport[0].includes('"') ? '"' : "'";
  const end = lastImport.index + lastImport[0].length;
  const line = `import { ${constant} } from ${quote}./${fileName}${quote};`;
  return [{ start: end, end, text: `${detectLineEnding(text)}${line}` }, added];
}

/**
 * Adds an element to the list in `startModule([…])`. Puts it on a separate line if the last element
 * is on its own line.
 */
function addToList(text: string, constant: string): TextEdit | undefined {
  const open = /\bstartModule\(\s*\[/.exec(text);
  if (!open) return undefined;
  const tokens = new RegExp(TOKEN);
  let depth = 1;
  tokens.lastIndex = open.index + open[0].length;
  let last = { text: '[', end: tokens.lastIndex };
  for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
    const [word] = token;
    if (word.startsWith('//') || word.startsWith('/*')) continue;
    if (/^[[({]$/.test(word)) depth += 1;
    if (/^[\])}]$/.test(word)) depth -= 1;
    if (depth === 0) return insertAfter(text, last, token.index, constant);
    last = { text: word, end: tokens.lastIndex };
  }
  return undefined;
}

function insertAfter(
  text: string,
  last: { readonly text: string; readonly end: number },
  close: number,
  constant: string,
): TextEdit {
  const span = { start: last.end, end: last.end };
  if (last.text === '[') return { ...span, text: constant };
  const hasOwnLine = text.slice(last.end, close).includes('\n');
  const space = hasOwnLine ? `${detectLineEnding(text)}${getIndent(text, last.end)}` : ' ';
  return last.text === ','
    ? { ...span, text: `${space}${constant}${hasOwnLine ? ',' : ''}` }
    : { ...span, text: `,${space}${constant}` };
}

/**
 * Files that identify a generated module. The first one starts the module and registers its models.
 */
const FILES: Readonly<Record<ModuleLanguage, readonly [main: string, ...rest: string[]]>> = {
  typescript: ['src/main.ts', 'src/module/model.ts'],
  python: ['src/main.py', 'src/attributes.py'],
};

const LANGUAGES: readonly ModuleLanguage[] = ['typescript', 'python'];

/** Returns the file that registers a module's models. */
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
