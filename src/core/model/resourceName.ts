import { findUnsafeCharacter } from './displayText';

/** Why a text cannot be the name of a resource, as far as that is known without the service. */
export type NameProblem = 'empty' | 'controlCharacters' | 'tooLong' | 'taken';

const LONGEST_NAME = 200;

export interface NameRules {
  /** Names of the resources beside it; a second one of the same name is allowed but confusing. */
  readonly siblings: readonly string[];
  /** The present name in a rename. Another user can change it, so it is as good as any other name. */
  readonly current?: string | undefined;
}

/** The names of resources, for telling whether one is taken. */
export function namesOf(items: readonly { readonly name: string }[]): readonly string[] {
  return items.map(({ name }) => name);
}

export function nameProblem(
  text: string,
  { siblings, current }: NameRules,
): NameProblem | undefined {
  const name = text.trim();
  if (name === '') return 'empty';
  if (findUnsafeCharacter(name) !== undefined) return 'controlCharacters';
  if (name.length > LONGEST_NAME) return 'tooLong';
  const folded = name.toLowerCase();
  const others = siblings.filter((sibling) => sibling !== current);
  return others.some((sibling) => sibling.toLowerCase() === folded) ? 'taken' : undefined;
}
