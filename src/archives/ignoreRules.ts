import { join } from 'node:path';
import { getErrorCode } from '../base/errorCode';
import { BUILD_MARKER } from '../core/modules/buildPlan';
import { isMissing, openPlain } from './safePaths';

/**
 * Name of the file in a build folder that lists the files to exclude from the upload, like
 * `.gitignore`.
 */
export const IGNORE_FILE = '.fleetwrightignore';

/**
 * Files that no build needs and that could reveal more than the author intends. The ignore file
 * can't include them.
 */
const ALWAYS = ['.git', '.hg', '.svn', '.DS_Store', IGNORE_FILE, BUILD_MARKER];
/**
 * Maximum size of the ignore file in bytes. The size is limited because every entry of a build is
 * matched against every line.
 */
const MAX_BYTES = 100_000;
const MAX_LINES = 1_000;

/** Returns true if an entry is excluded. @param path path from the root of the build, with `/`. */
export type IsIgnored = (path: string, isFolder: boolean) => boolean;

/**
 * Reads a folder's ignore rules. Without an ignore file, only files that are always ignored, such
 * as version control files, are excluded.
 * @throws IgnoreRulesError if the ignore file is a link, a pipe, or otherwise not a regular file
 */
export async function readIgnoreRules(folder: string): Promise<IsIgnored> {
  const rulesPath = join(folder, IGNORE_FILE);
  const lines = (await readRules(rulesPath)).replace(/^\uFEFF/, '').split('\n');
  if (lines.length > MAX_LINES) throw new IgnoreRulesError(rulesPath);
  const isAlwaysIgnored = ignoreRules(ALWAYS);
  const isIgnored = ignoreRules(lines.map((line) => line.replace(/\r$/, '')));
  return (...entry) => isAlwaysIgnored(...entry) || isIgnored(...entry);
}

async function readRules(path: string): Promise<string> {
  const file = await openPlain(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw getErrorCode(error) === 'ELOOP' ? new IgnoreRulesError(path, { cause: error }) : error;
  });
  if (!file) return '';
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > MAX_BYTES) throw new IgnoreRulesError(path);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/**
 * Error thrown when a folder's ignore rules are too long, or when the ignore file isn't a regular
 * file.
 */
export class IgnoreRulesError extends Error {
  override readonly name = 'IgnoreRulesError';

  constructor(
    readonly path: string,
    options?: ErrorOptions,
  ) {
    super(`${path} contains no valid rules`, options);
  }
}

/**
 * Parses rules like those in `.gitignore`: a line with `/` is relative to the root; a line without
 * `/` matches names in all folders; a trailing `/` matches only folders; `!` negates a rule; `*`,
 * `**`, `?`, and `[a-z]` are wildcards; `\` escapes the next character.
 */
export function ignoreRules(lines: readonly string[]): IsIgnored {
  const rules = lines
    .filter((line) => !line.startsWith('#'))
    .map((line) => parseRule(trimSpaces(line)))
    .filter((rule) => rule !== undefined);
  return (path, isFolder) => {
    const names = path.split('/').map((name) => Array.from(name));
    return rules.reduce(
      (ignored, rule) =>
        (isFolder || !rule.foldersOnly) && matchesRule(rule, names) ? rule.ignores : ignored,
      false,
    );
  };
}

/** Removes the spaces at the end of a line that aren't escaped. */
function trimSpaces(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ') end -= 1;
  let escapes = 0;
  while (line[end - 1 - escapes] === '\\') escapes += 1;
  return line.slice(0, end + (escapes % 2));
}

/** Returns true if a character of a name matches. */
type CharacterTest = (character: string) => boolean;
/** One test for each character of a name. */
type NamePattern = readonly CharacterTest[];

/** Matches any number of characters. Compared by identity. */
const STAR: CharacterTest = () => true;
/** Matches any number of names. Compared by identity. */
const GLOBSTAR: NamePattern = [];

interface Rule {
  /** One pattern for each name in a path. */
  readonly patterns: readonly NamePattern[];
  /** True if the rule applies in all folders. */
  readonly isName: boolean;
  readonly ignores: boolean;
  readonly foldersOnly: boolean;
}

/** Parses a rule; returns undefined if its pattern is invalid and therefore matches nothing. */
function parseRule(line: string): Rule | undefined {
  const ignores = !line.startsWith('!');
  const pattern = ignores ? line : line.slice(1);
  const foldersOnly = pattern.endsWith('/');
  const body = foldersOnly ? pattern.slice(0, -1) : pattern;
  const patterns = parsePattern(body.replace(/^\//, ''));
  if (!patterns) return undefined;
  // `folder/**` matches the contents of the folder, not the folder itself.
  if (patterns.length > 1 && patterns.at(-1) === GLOBSTAR) patterns.splice(-1, 0, [STAR]);
  return { patterns, isName: !body.includes('/'), ignores, foldersOnly };
}

/** Escaped character, class, or other character in brackets. */
const MEMBER = String.raw`(?:\\[^]|\[:[a-z]*:\]|(?!\[:[a-z]*:\])[^\\\]])`;
/** Escaped character, brackets with an optional negation and their members, or other character. */
const TOKEN = new RegExp(
  String.raw`\\([^])|\[([!^]|(?![!^]))((?:\]|${MEMBER})${MEMBER}*)\]|([^\\[])`,
  'guy',
);

/** Splits a pattern into the patterns of its names; returns undefined if it is invalid. */
function parsePattern(text: string): NamePattern[] | undefined {
  const names: CharacterTest[][] = [[]];
  let length = 0;
  for (const [token, escaped, negation, members, plain] of text.matchAll(TOKEN)) {
    length += token.length;
    const character = escaped ?? plain;
    if (character === '/') {
      names.push([]);
      continue;
    }
    let test: CharacterTest | undefined = (found) => found === character;
    if (members !== undefined) test = parseMembers(members, negation !== '');
    else if (plain === '*') test = STAR;
    else if (plain === '?') test = () => true;
    if (!test) return undefined;
    names.at(-1)?.push(test);
  }
  if (length < text.length) return undefined;
  return names.map((name) =>
    name.length > 1 && name.every((test) => test === STAR) ? GLOBSTAR : name,
  );
}

const MEMBERS = /\[:([a-z]*):\]|(\\.|.)(?:-(\\.|.))?/gsu;
const CLASSES: ReadonlyMap<string, RegExp> = new Map([
  ['alnum', /[a-z\d]/i],
  ['alpha', /[a-z]/i],
  ['blank', /[ \t]/],
  ['cntrl', /\p{Cc}/u],
  ['digit', /\d/],
  ['graph', /[!-~]/],
  ['lower', /[a-z]/],
  ['print', /[ -~]/],
  ['punct', /[!-/:-@[-`{-~]/],
  ['space', /[ \t-\r]/],
  ['upper', /[A-Z]/],
  ['xdigit', /[a-f\d]/i],
]);

/** Parses the members of brackets; returns undefined if there is an unknown class. */
function parseMembers(text: string, isNegated: boolean): CharacterTest | undefined {
  const tests: CharacterTest[] = [];
  for (const [, name, from = '', to = from] of text.matchAll(MEMBERS)) {
    const known = name === undefined ? undefined : CLASSES.get(name);
    if (name !== undefined && !known) return undefined;
    const [first, last] = [removeEscape(from), removeEscape(to)];
    tests.push(
      (character) =>
        known?.test(character) ??
        (character === first || (first <= character && character <= last)),
    );
  }
  return (character) => tests.some((test) => test(character)) !== isNegated;
}

function removeEscape(text: string): string {
  return text.replace(/^\\(?=.)/s, '');
}

function matchesRule({ patterns, isName }: Rule, names: readonly (readonly string[])[]): boolean {
  return matchesWildcard(patterns, isName ? names.slice(-1) : names, GLOBSTAR, matchesName);
}

function matchesName(pattern: NamePattern, name: readonly string[]): boolean {
  return matchesWildcard(pattern, name, STAR, (test, character) => test(character));
}

/**
 * Returns true if the parts match exactly these items, where a star matches any number of items.
 * Backtracks only to the last star, so the time is at most proportional to the product of both
 * lengths. A regular expression would take exponential time for malicious lines.
 */
function matchesWildcard<Part, Item>(
  parts: readonly Part[],
  items: readonly Item[],
  star: Part,
  fits: (part: Part, item: Item) => boolean,
): boolean {
  let [part, item] = [0, 0];
  let last: { readonly part: number; item: number } | undefined;
  for (let found = items[item]; found !== undefined; found = items[item]) {
    const expected = parts[part];
    if (expected === star) {
      last = { part, item };
      part += 1;
    } else if (expected !== undefined && fits(expected, found)) {
      part += 1;
      item += 1;
    } else if (last) {
      last.item += 1;
      item = last.item;
      part = last.part + 1;
    } else {
      return false;
    }
  }
  while (parts[part] === star) part += 1;
  return part === parts.length;
}
