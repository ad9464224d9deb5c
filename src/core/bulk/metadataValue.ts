import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { sameJsonValue } from '../documents/jsonText';
import type { MetadataKind, MetadataStore } from '../stores/metadataStore';

/** Value to set in the metadata of many resources. */
export interface MetadataValue {
  readonly key: string;
  readonly value: JsonValue;
}

/**
 * Comparison of a resource's metadata with the value to set: the key has no value, a different
 * value, or the same value.
 */
export type MetadataState = 'missing' | 'other' | 'same';

/**
 * Determines whether a resource's metadata has the same value under the key, a different value, or
 * no value.
 */
export async function readMetadataState(
  store: MetadataStore,
  kind: MetadataKind,
  id: string,
  desired: MetadataValue,
  signal: AbortSignal,
): Promise<MetadataState> {
  return stateIn(await store.get(kind, id, { signal }), desired);
}

/**
 * Sets the value and preserves all other values. Reads the metadata immediately before writing,
 * because the API has no metadata versions that the service could use to detect concurrent writes.
 * @returns the previous state; for `same`, nothing was written.
 */
export async function setMetadataValue(
  store: MetadataStore,
  kind: MetadataKind,
  id: string,
  desired: MetadataValue,
): Promise<MetadataState> {
  const metadata = await store.get(kind, id);
  const state = stateIn(metadata, desired);
  if (state === 'same') return state;
  // `Object.fromEntries` defines properties instead of assigning them, so `__proto__` is a key like
  // any other.
  const changed: JsonObject = Object.fromEntries([
    ...Object.entries(metadata).filter(([key]) => key !== desired.key),
    [desired.key, desired.value],
  ]);
  await store.update(kind, id, changed);
  return state;
}

function stateIn(metadata: JsonObject, { key, value }: MetadataValue): MetadataState {
  const there = Object.entries(metadata).find(([name]) => name === key)?.[1];
  if (there === undefined) return 'missing';
  return sameJsonValue(JSON.stringify(there), JSON.stringify(value)) ? 'same' : 'other';
}
