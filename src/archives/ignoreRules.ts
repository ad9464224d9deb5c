import { join } from 'node:path';
import { KEPT_MARK } from '../core/modules/build/keptMark';
import { codeOf, isMissing } from './fileErrors';
import { openPlain } from './openPlain';

/** A file of this name in the folder of a build says what of it stays behind, as `.gitignore` does. */
export const IGNORE_FILE = '.fleetwrightignore';

/** What no build needs, and what would tell more than its maker wants. */
const ALWAYS = ['.git', '.hg', '.svn', '.DS_Store', IGNORE_FILE, KEPT_MARK];
/** Every entry of a build is held against every line. */
const LARGEST_BYTES = 100_000;
const MOST_LINES = 1_000;

/** Whether an entry stays behind. @param path from the root of the build, with `/`. */
export type IsIgnored = (path: string, isFolder: boolean) => boolean;

/**
 * Reads the rules of a folder. Without a file of them only version control stays behind.
 * @throws IgnoreRulesRefused of a link, a pipe or anything else that is read without end
 */
export async function readIgnoreRules(folder: string): Promise<IsIgnored> {
  const place = join(folder, IGNORE_FILE);
  const lines = (await textOf(place)).split(/\r?\n/);
  if (lines.length > MOST_LINES) throw new IgnoreRulesRefused(place);
  return ignoreRules([...ALWAYS, ...lines]);
}

async function textOf(place: string): Promise<string> {
  const file = await openPlain(place).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw codeOf(error) === 'ELOOP' ? new IgnoreRulesRefused(place, { cause: error }) : error;
  });
  if (!file) return '';
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > LARGEST_BYTES) throw new IgnoreRulesRefused(place);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/** The rules of a folder are no file, or too long. */
export class IgnoreRulesRefused extends Error {
  override readonly name = 'IgnoreRulesRefused';

  constructor(
    readonly path: string,
    options?: ErrorOptions,
  ) {
    super(`${path} contains no valid rules`, options);
  }
}

/**
 * Rules as those of `.gitignore`: a line with `/` counts from the root, one without for names in all
 * folders, `/` at the end for folders only, `!` takes back; `*`, `**` and `?` stand for names.
 */
export function ignoreRules(lines: readonly string[]): IsIgnored {
  const rules = lines
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(ruleOf);
  return (path, isFolder) => {
    const names = path.split('/');
    return rules.reduce(
      (ignored, rule) =>
        (isFolder || !rule.foldersOnly) && isMeant(rule, names) ? rule.ignores : ignored,
      false,
    );
  };
}

interface Rule {
  /** One for each name of a path; `**` for any number of names. */
  readonly forms: readonly string[];
  /** Whether it counts in all folders. */
  readonly isName: boolean;
  readonly ignores: boolean;
  readonly foldersOnly: boolean;
}

function ruleOf(line: string): Rule {
  const ignores = !line.startsWith('!');
  const pattern = ignores ? line : line.slice(1);
  const foldersOnly = pattern.endsWith('/');
  const body = foldersOnly ? pattern.slice(0, -1) : pattern;
  const forms = body.replace(/^\//, '').split('/');
  // What is in a folder is not the folder.
  if (forms.length > 1 && forms.at(-1) === '**') forms.splice(-1, 0, '*');
  return { forms, isName: !body.includes('/'), ignores, foldersOnly };
}

function isMeant({ forms, isName }: Rule, names: readonly string[]): boolean {
  return isName
    ? fitsName(forms[0] ?? '', names.at(-1) ?? '')
    : standsFor(forms, names, '**', fitsName);
}

function fitsName(form: string, name: string): boolean {
  return standsFor(form, name, '*', (sign, letter) => sign === '?' || sign === letter);
}

/**
 * Whether parts stand for exactly these items, where a star stands for any number of them. Goes back to
 * the last star only, so that it takes no longer than one times the other, whatever the parts are: a
 * regular expression takes for ever on lines that somebody made for it.
 */
function standsFor(
  parts: ArrayLike<string>,
  items: ArrayLike<string>,
  star: string,
  fits: (part: string, item: string) => boolean,
): boolean {
  let [part, item] = [0, 0];
  let last: { readonly part: number; item: number } | undefined;
  for (let found = items[item]; found !== undefined; found = items[item]) {
    const wanted = parts[part];
    if (wanted === star) {
      last = { part, item };
      part += 1;
    } else if (wanted !== undefined && fits(wanted, found)) {
      part += 1;
      item += 1;
    } else if (last) {
      last.item += 1;
      item = last.item;
      part = last.part + 1;
    } else return false;
  }
  while (parts[part] === star) part += 1;
  return part === parts.length;
}
