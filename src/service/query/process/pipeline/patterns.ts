/** POSIX character classes, such as `[[:alpha:]]`, in JavaScript. */
const CLASSES: ReadonlyMap<string, string> = new Map([
  ['alnum', 'a-zA-Z\\d'],
  ['alpha', 'a-zA-Z'],
  ['blank', ' \\t'],
  ['digit', '\\d'],
  ['lower', 'a-z'],
  ['punct', '!-\\/:-@\\[-`{-~'],
  ['space', '\\s'],
  ['upper', 'A-Z'],
  ['word', '\\w'],
  ['xdigit', '\\da-fA-F'],
]);

/** Anchors for the start of the text, for its end, and for its end before a last line break. */
const ANCHORS: ReadonlyMap<string, string> = new Map([
  ['A', '(?<![^])'],
  ['z', '(?![^])'],
  ['Z', '(?=\\n?(?![^]))'],
]);

/** Options before a pattern, such as `(?i)`. */
const INLINE_OPTIONS = /^\(\?([ims]+)\)/;
/** Quoted text, another escape, or a POSIX class. */
const TOKEN = /\\Q([^]*?)(?:\\E|$)|\\([^])|\[:(\^?[a-z]+):\]/g;
/** Constructs that JavaScript knows only in Unicode mode. */
const UNICODE = /\\[pP]\{|\\x\{/;

/**
 * Compiles a pattern of MongoDB, whose syntax is PCRE's. JavaScript would otherwise read some of it as
 * ordinary text, so that a filter silently matches nothing.
 * @throws TypeError or SyntaxError for an option or a construct that isn't supported
 */
export function compilePattern(source: string, options: string): RegExp {
  const [inline = '', inlineOptions = ''] = INLINE_OPTIONS.exec(source) ?? [];
  // Text is always UTF-8.
  const flags = new Set(`${options.replaceAll('u', '')}${inlineOptions}`);
  const unsupported = [...flags].find((flag) => !'ims'.includes(flag));
  if (unsupported !== undefined) {
    throw new TypeError(`the option ${unsupported} is not supported; only i, m, and s are`);
  }
  const translated = source
    .slice(inline.length)
    .replace(TOKEN, (token: string, quoted?: string, escaped?: string, className?: string) => {
      if (quoted !== undefined) return quoted.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
      if (escaped !== undefined) return ANCHORS.get(escaped) ?? token;
      const characters = CLASSES.get(className ?? '');
      if (characters === undefined) throw new TypeError(`the class ${token} is not supported`);
      return characters;
    });
  if (!UNICODE.test(translated)) return new RegExp(translated, [...flags].join(''));
  return new RegExp(translated.replaceAll('\\x{', '\\u{'), [...flags, 'u'].join(''));
}
