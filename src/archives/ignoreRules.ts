import { join } from 'node:path';
import { getErrorCode } from '../base/errorCode';
import { BUILD_MARKER } from '../core/modules/buildPlan';
import { isMissing, openPlain } from './safePaths';

/**
 * Name of the file in a build folder that lists the files to exclude from the upload, like
 * `.gitignore`.
 */
export const IGNORE_FILE = '.fleetwrightignore';

/** Files that no build needs and that could reveal more than the author intends. */
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
  const lines = (await readRules(rulesPath)).split(/\r?\n/);
  if (lines.length > MAX_LINES) throw new IgnoreRulesError(rulesPath);
  return ignoreRules([...ALWAYS, ...lines]);
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
  override readonly name = 'IgnoreRulesRefused';

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
 * `**`, and `?` are wildcards.
 */
export function ignoreRules(lines: readonly string[]): IsIgnored {
  const rules = lines
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(parseRule);
  return (path, isFolder) => {
    const names = path.split('/');
    return rules.reduce(
      (ignored, rule) =>
        (isFolder || !rule.foldersOnly) && matchesRule(rule, names) ? rule.ignores : ignored,
      false,
    );
  };
}

interface Rule {
  /** One pattern for each name in a path; `**` matches any number of names. */
  readonly forms: readonly string[];
  /** True if the rule applies in all folders. */
  readonly isName: boolean;
  readonly ignores: boolean;
  readonly foldersOnly: boolean;
}

function parseRule(line: string): Rule {
  const ignores = !line.startsWith('!');
  const pattern = ignores ? line : line.slice(1);
  const foldersOnly = pattern.endsWith('/');
  const body = foldersOnly ? pattern.slice(0, -1) : pattern;
  const forms = body.replace(/^\//, '').split('/');
  // `folder/**` matches the contents of the folder, not the folder itself.
  if (forms.length > 1 && forms.at(-1) === '**') forms.splice(-1, 0, '*');
  return { forms, isName: !body.includes('/'), ignores, foldersOnly };
}

function matchesRule({ forms, isName }: Rule, names: readonly string[]): boolean {
  return isName
    ? fitsName(forms[0] ?? '', names.at(-1) ?? '')
    : matchesWildcard(forms, names, '**', fitsName);
}

function fitsName(form: string, name: string): boolean {
  return matchesWildcard(form, name, '*', (sign, letter) => sign === '?' || sign === letter);
}

/**
 * Returns true if the parts match exactly these items, where a star matches any number of items.
 * Backtracks only to the last star, so the time is at most proportional to the product of both
 * lengths. A regular expression would take exponential time for malicious lines.
 */
function matchesWildcard(
  parts: ArrayLike<string>,
  items: ArrayLike<string>,
  star: string,
  fits: (part: string, item: string) => boolean,
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
