import { importsOf } from '../../core/fragments/fragmentImport';

/** The ids of the fragments that the text of a config names itself, each once, in their order. */
export function fragmentIdsOf(configJson: string): string[] {
  return fragmentIdsIn(JSON.parse(configJson));
}

/** The same for a config that was parsed. */
export function fragmentIdsIn(config: unknown): string[] {
  return [...new Set(importsOf(config).map(({ id }) => id))];
}
