/** Reason why a text isn't a valid name for a new module. */
export type ModuleNameProblem = 'empty' | 'characters' | 'taken' | 'tooLong';

const NAME = /^[A-Za-z0-9_-]+$/;
const NOT_IN_NAME = /[^A-Za-z0-9_-]+/g;
export const MAX_NAME_LENGTH = 200;

/**
 * Validates a name according to the registry's rules: it must consist of letters, digits, dashes,
 * and underscores, and be unique among all items of an organization (spec part 3, CreateModule).
 *
 * @param taken names of the organization's items
 */
export function moduleNameProblem(
  name: string,
  taken: ReadonlySet<string>,
): ModuleNameProblem | undefined {
  if (name === '') return 'empty';
  if (!NAME.test(name)) return 'characters';
  if (name.length > MAX_NAME_LENGTH) return 'tooLong';
  return taken.has(name) ? 'taken' : undefined;
}

/**
 * Derives a valid name from any text, such as a folder name; empty if no valid characters remain.
 */
export function suggestedModuleName(text: string): string {
  return text
    .trim()
    .replace(NOT_IN_NAME, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_NAME_LENGTH);
}

/** Splits a module ID into its two parts. A missing part is empty. */
export function splitModuleId(id: string): { readonly owner: string; readonly name: string } {
  const separator = id.indexOf(':');
  return separator < 0
    ? { owner: '', name: id }
    : { owner: id.slice(0, separator), name: id.slice(separator + 1) };
}
