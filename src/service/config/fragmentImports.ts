import { parseImports } from '../../core/fragments/fragmentImport';

/**
 * Returns the IDs of the fragments that a config text directly refers to, in order and without
 * duplicates.
 */
export function listFragmentIds(configJson: string): string[] {
  return fragmentIdsIn(JSON.parse(configJson));
}

/** Like `listFragmentIds`, but for a parsed config. */
export function fragmentIdsIn(config: unknown): string[] {
  return [...new Set(parseImports(config).map(({ id }) => id))];
}
