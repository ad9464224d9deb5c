import { findUnsafeCharacter } from './toDisplayText';

/** Reason why a text isn't a valid resource name, as far as the client can check. */
export type NameProblem = 'empty' | 'controlCharacters' | 'tooLong' | 'taken';

export const MAX_NAME_LENGTH = 200;

export interface NameRules {
  /** Names of the sibling resources. Duplicates are allowed but confusing. */
  readonly siblings: readonly string[];
  /**
   * Current name of a resource that is being renamed. Accepted like any other name, because another
   * user might change it before the rename.
   */
  readonly current?: string | undefined;
}

/** Returns the names of resources, for checking if a name is taken. */
export function getNames(items: readonly { readonly name: string }[]): readonly string[] {
  return items.map(({ name }) => name);
}

export function nameProblem(
  text: string,
  { siblings, current }: NameRules,
): NameProblem | undefined {
  const name = text.trim();
  if (name === '') return 'empty';
  if (findUnsafeCharacter(name) !== undefined) return 'controlCharacters';
  if (name.length > MAX_NAME_LENGTH) return 'tooLong';
  const folded = name.toLowerCase();
  const others = siblings.filter((sibling) => sibling !== current);
  return others.some((sibling) => sibling.toLowerCase() === folded) ? 'taken' : undefined;
}
