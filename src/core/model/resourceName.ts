import { findUnsafeCharacter, isBlank } from './displayText';

/** Reason that a resource name is invalid, among those that the client can check. */
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

/** Returns the names of resources, for checking whether a name is taken. */
export function getNames(items: readonly { readonly name: string }[]): readonly string[] {
  return items.map(({ name }) => name);
}

export function nameProblem(
  text: string,
  { siblings, current }: NameRules,
): NameProblem | undefined {
  const name = text.trim();
  if (isBlank(name)) return 'empty';
  if (findUnsafeCharacter(name) !== undefined) return 'controlCharacters';
  if (name.length > MAX_NAME_LENGTH) return 'tooLong';
  const folded = name.toLowerCase();
  const others = siblings.filter((sibling) => sibling !== current);
  return others.some((sibling) => sibling.toLowerCase() === folded) ? 'taken' : undefined;
}

/**
 * Width to which numbers in names are padded, so that they sort correctly as text. No number in a
 * name is longer.
 */
const NUMBER_WIDTH = 16;
const ZEROS = '0'.repeat(NUMBER_WIDTH);
const ZERO_CODE = 0x30;
const NINE_CODE = 0x39;

interface Named {
  readonly name: string;
}

/**
 * Returns a sort key for the natural order of names: `arm-2` before `arm-10`, ignoring case, with
 * accented letters next to their unaccented forms. Comparing keys is many times faster than using a
 * collator, and padding in a loop twice as fast as with a regular expression.
 */
function orderKey({ name }: Named): string {
  const folded = name.normalize('NFD').toLowerCase();
  let [key, copied] = ['', 0];
  for (let index = 0; index < folded.length; index += 1) {
    const start = index;
    while (isDigit(folded, index)) index += 1;
    if (index === start) continue;
    key += folded.slice(copied, start) + ZEROS.slice(index - start);
    copied = start;
  }
  return key + folded.slice(copied);
}

function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= ZERO_CODE && code <= NINE_CODE;
}

/** Returns the items sorted by name. The sort is stable. */
export function inNameOrder<T extends Named>(items: readonly T[]): readonly T[] {
  const keyed = items.map((item) => ({ item, key: orderKey(item) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  return keyed.map(({ item }) => item);
}
