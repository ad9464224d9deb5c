import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from './fileErrors';

/** A file of this name in the folder of a build says what of it stays behind, as `.gitignore` does. */
export const IGNORE_FILE = '.fleetwrightignore';

/** What no build needs, and what would tell more than its maker wants. */
const ALWAYS = ['.git', '.hg', '.svn', '.DS_Store', IGNORE_FILE];

/** Whether an entry stays behind. @param path from the root of the build, with `/`. */
export type IsIgnored = (path: string, isFolder: boolean) => boolean;

/** Reads the rules of a folder. Without a file of them only version control stays behind. */
export async function readIgnoreRules(folder: string): Promise<IsIgnored> {
  const text = await readFile(join(folder, IGNORE_FILE), 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return '';
    throw error;
  });
  return ignoreRules([...ALWAYS, ...text.split(/\r?\n/)]);
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
  return (path, isFolder) =>
    rules.reduce(
      (ignored, rule) =>
        (isFolder || !rule.foldersOnly) && rule.form.test(path) ? rule.ignores : ignored,
      false,
    );
}

interface Rule {
  readonly form: RegExp;
  readonly ignores: boolean;
  readonly foldersOnly: boolean;
}

function ruleOf(line: string): Rule {
  const ignores = !line.startsWith('!');
  const pattern = ignores ? line : line.slice(1);
  const foldersOnly = pattern.endsWith('/');
  const body = foldersOnly ? pattern.slice(0, -1) : pattern;
  const start = body.includes('/') ? '^' : '(^|/)';
  const form = body
    .replace(/^\//, '')
    .split(/(\*\*\/|\/\*\*$|\*|\?)/)
    .map((part) => wildcards.get(part) ?? part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('');
  return { form: new RegExp(`${start}${form}$`), ignores, foldersOnly };
}

const wildcards: ReadonlyMap<string, string> = new Map([
  ['**/', '(.*/)?'],
  ['/**', '/.*'],
  ['*', '[^/]*'],
  ['?', '[^/]'],
]);
