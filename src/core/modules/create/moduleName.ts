/** Why a text cannot be the name of a new module. */
export type ModuleNameProblem = 'empty' | 'characters' | 'taken' | 'tooLong';

const NAME = /^[A-Za-z0-9_-]+$/;
const NOT_IN_NAME = /[^A-Za-z0-9_-]+/g;
const LONGEST_NAME = 200;

/**
 * Holds a name against the registry's rules: letters, digits, dashes and underscores, and no second item
 * of one name in an organization, of whatever type (spec part 3, CreateModule).
 *
 * @param taken names of the organization's items
 */
export function moduleNameProblem(
  name: string,
  taken: ReadonlySet<string>,
): ModuleNameProblem | undefined {
  if (name === '') return 'empty';
  if (!NAME.test(name)) return 'characters';
  if (name.length > LONGEST_NAME) return 'tooLong';
  return taken.has(name) ? 'taken' : undefined;
}

/** A name that may be given, made of any text, such as that of a folder; empty where nothing is left. */
export function suggestedModuleName(text: string): string {
  return text
    .trim()
    .replace(NOT_IN_NAME, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, LONGEST_NAME);
}

/** The two halves of a module's id; empty where it has none. */
export function partsOfModuleId(id: string): { readonly owner: string; readonly name: string } {
  const separator = id.indexOf(':');
  return separator < 0
    ? { owner: '', name: id }
    : { owner: id.slice(0, separator), name: id.slice(separator + 1) };
}
