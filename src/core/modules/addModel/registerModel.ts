import type { TextEdit } from '../../documents/textEdit';
import type { ModelIdentifiers } from '../generate/modelIdentifiers';
import type { ModuleLanguage } from '../generate/moduleApi';

/**
 * Import statement, which can span multiple lines. No line in a comment or text is expected to
 * start with this word.
 */
const TYPESCRIPT_IMPORT = /^import\s[^"'`]*["'][^"'\n]*["'];?[^\n\r]*/gm;
const PYTHON_IMPORT = /^from \.\w+ import /m;
/**
 * Comments, strings, and brackets, which must be recognized to find the end of the list of models.
 */
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
  const lineStart = text.lastIndexOf('\n', last.end - 1) + 1;
  const indent = /^[ \t]*/.exec(text.slice(lineStart))?.[0] ?? '';
  const space = hasOwnLine ? `${detectLineEnding(text)}${indent}` : ' ';
  return last.text === ','
    ? { ...span, text: `${space}${constant}${hasOwnLine ? ',' : ''}` }
    : { ...span, text: `,${space}${constant}` };
}

function detectLineEnding(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
