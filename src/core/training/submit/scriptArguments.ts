import { isArgumentName, isArgumentOfService } from '../../model/scriptArgumentNames';

/** Texts that a script is told on its command line, by their names. */
export type ScriptArguments = Readonly<Record<string, string>>;

/** Why a line of arguments says nothing to a script. */
export type ArgumentProblem =
  | { readonly kind: 'form'; readonly word: string }
  | { readonly kind: 'repeated'; readonly name: string }
  /** The service says these itself. */
  | { readonly kind: 'ofService'; readonly name: string }
  | { readonly kind: 'openQuote' };

/** A word: parts with and without quotes, in which a backslash takes the next character as it is. */
const WORD = /(?:[^\s"\\]|\\.|"(?:[^"\\]|\\.)*")+/gsu;
const FORM = /^(?:--)?([^=]*)=(.*)$/su;

/** What a line says: arguments, or what is wrong with the first word that is none. */
export type ReadArguments =
  | { readonly arguments: ScriptArguments; readonly problem?: undefined }
  | { readonly problem: ArgumentProblem };

/** Reads arguments as people write them: `epochs=10 --rate=0.1 note="two words"`. */
export function readArguments(line: string): ReadArguments {
  if (line.replace(WORD, '').trim() !== '') return { problem: { kind: 'openQuote' } };
  const found = new Map<string, string>();
  for (const [word] of line.matchAll(WORD)) {
    const [, name = '', value = ''] = FORM.exec(word) ?? [];
    if (!isArgumentName(name)) return { problem: { kind: 'form', word } };
    if (isArgumentOfService(name)) return { problem: { kind: 'ofService', name } };
    if (found.has(name)) return { problem: { kind: 'repeated', name } };
    found.set(name, unquoted(value));
  }
  return { arguments: Object.fromEntries(found) };
}

/** Arguments as a line that reads back as the same. */
export function argumentLine(given: ScriptArguments): string {
  return Object.entries(given)
    .map(([name, value]) => `${name}=${quoted(value)}`)
    .join(' ');
}

function unquoted(text: string): string {
  return text.replace(/\\(.)|"/gsu, (_, escaped: string | undefined) => escaped ?? '');
}

function quoted(value: string): string {
  if (/^[^\s"\\]*$/u.test(value)) return value;
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}
