import { isArgumentName, isServiceArgument } from '../../model/trainingJob';

/** Command-line arguments for a training script, by name. */
export type ScriptArguments = Readonly<Record<string, string>>;

/** Reason that a line of arguments is invalid. */
export type ArgumentProblem =
  | { readonly kind: 'form'; readonly word: string }
  | { readonly kind: 'repeated'; readonly name: string }
  /** The service itself sets the argument. */
  | { readonly kind: 'ofService'; readonly name: string }
  | { readonly kind: 'openQuote' };

/**
 * Word in a line of arguments: consists of quoted and unquoted parts, in which a backslash escapes
 * the next character.
 */
const WORD = /(?:[^\s"\\]|\\.|"(?:[^"\\]|\\.)*")+/gsu;
const FORM = /^(?:--)?([^=]*)=(.*)$/su;

/** Parsed arguments, or the problem with the first invalid word. */
export type ReadArguments =
  | { readonly arguments: ScriptArguments; readonly problem?: undefined }
  | { readonly problem: ArgumentProblem };

/** Parses arguments that the user entered, such as `epochs=10 --rate=0.1 note="two words"`. */
export function readArguments(line: string): ReadArguments {
  if (line.replace(WORD, '').trim() !== '') return { problem: { kind: 'openQuote' } };
  const found = new Map<string, string>();
  for (const [word] of line.matchAll(WORD)) {
    const [, name = '', value = ''] = FORM.exec(word) ?? [];
    if (!isArgumentName(name)) return { problem: { kind: 'form', word } };
    if (isServiceArgument(name)) return { problem: { kind: 'ofService', name } };
    if (found.has(name)) return { problem: { kind: 'repeated', name } };
    found.set(name, unquoted(value));
  }
  return { arguments: Object.fromEntries(found) };
}

/**
 * Formats arguments as a line. Parsing the line with `readArguments` returns the same arguments.
 */
export function argumentLine(scriptArguments: ScriptArguments): string {
  return Object.entries(scriptArguments)
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
