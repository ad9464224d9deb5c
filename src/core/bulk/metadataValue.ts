import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { sameJsonValue } from '../documents/jsonText';
import type { MetadataKind, MetadataStore } from '../stores/metadataStore';

/** Value to set in the metadata of many resources. */
export interface MetadataValue {
  readonly key: string;
  readonly value: JsonValue;
}

/** Comparison of a resource's metadata with the value to set. */
export type MetadataState = 'missing' | 'other' | 'same';

/** Reads if a resource has the value, another one under its key, or none. */
export async function readMetadataState(
  store: MetadataStore,
  kind: MetadataKind,
  id: string,
  wanted: MetadataValue,
  signal: AbortSignal,
): Promise<MetadataState> {
  return stateIn(await store.get(kind, id, { signal }), wanted);
}

/**
 * Sets the value and keeps all others. Reads the metadata right before, because the wire has no
 * version for them by which the service could detect a concurrent write.
 * @returns the previous state; for `same`, nothing was written.
 */
export async function setMetadataValue(
  store: MetadataStore,
  kind: MetadataKind,
  id: string,
  wanted: MetadataValue,
): Promise<MetadataState> {
  const metadata = await store.get(kind, id);
  const state = stateIn(metadata, wanted);
  if (state === 'same') return state;
  // Defined, not assigned: `__proto__` must be a key like any other.
  const changed: JsonObject = Object.fromEntries([
    ...Object.entries(metadata).filter(([key]) => key !== wanted.key),
    [wanted.key, wanted.value],
  ]);
  await store.update(kind, id, changed);
  return state;
}

function stateIn(metadata: JsonObject, { key, value }: MetadataValue): MetadataState {
  const there = Object.entries(metadata).find(([name]) => name === key)?.[1];
  if (there === undefined) return 'missing';
  return sameJsonValue(JSON.stringify(there), JSON.stringify(value)) ? 'same' : 'other';
}
