import { importsOf } from '../../core/fragments/fragmentImport';

/** The ids of the fragments that the text of a config names itself, each once, in their order. */
export function fragmentIdsOf(configJson: string): string[] {
  return [...new Set(importsOf(JSON.parse(configJson)).map(({ id }) => id))];
}
