import { importsOf } from '../../core/fragments/fragmentImport';

/** Returns the IDs of the fragments that a config text names directly, each once, in order. */
export function fragmentIdsOf(configJson: string): string[] {
  return fragmentIdsIn(JSON.parse(configJson));
}

/** Like `fragmentIdsOf`, for a parsed config. */
export function fragmentIdsIn(config: unknown): string[] {
  return [...new Set(importsOf(config).map(({ id }) => id))];
}
