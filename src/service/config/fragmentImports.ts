import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

/**
 * The fragments that the text of a config uses itself, each once, in the order of their first use.
 * A use is an id, or an object with an `id` beside how the fragment is used.
 */
export function fragmentIdsOf(configJson: string): string[] {
  return fragmentIdsIn(JSON.parse(configJson) as JsonObject);
}

/** As `fragmentIdsOf`, of a config that was read already. */
export function fragmentIdsIn(config: JsonObject): string[] {
  const uses = Array.isArray(config.fragments) ? config.fragments : [];
  return [...new Set(uses.map(idOf).filter((id) => id !== undefined))];
}

function idOf(use: JsonValue): string | undefined {
  const id = typeof use === 'object' && use !== null && !Array.isArray(use) ? use.id : use;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
