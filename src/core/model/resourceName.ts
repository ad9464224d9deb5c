import { findUnsafeCharacter } from './toDisplayText';

/** Reason why a text isn't a valid resource name, to the extent that the client can check. */
export type NameProblem = 'empty' | 'controlCharacters' | 'tooLong' | 'taken';

export const MAX_NAME_LENGTH = 200;

export interface NameRules {
  /** Names of the sibling resources; a duplicate is allowed but confusing. */
  readonly siblings: readonly string[];
  /** Current name in a rename. Another user can change it, so it is as valid as any other name. */
  readonly current?: string | undefined;
}

/** Returns the names of resources, to check if one is taken. */
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
