import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { sameJsonValue } from '../documents/jsonText';
import type { MetadataKind, MetadataStore } from '../stores/metadataStore';

/** One value that the metadata of many resources get. */
export interface MetadataValue {
  readonly key: string;
  readonly value: JsonValue;
}

/** How the metadata of a resource stand to a value that they are to have. */
export type MetadataState = 'missing' | 'other' | 'same';

/** Reads whether a resource has the value, another one under its key, or none. */
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
 * Sets the value and keeps all others. The metadata are read right before, because the wire gives them
 * no version by which the service could tell that somebody else wrote in the meantime.
 * @returns what was there before; nothing was written for `same`.
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
  // Defined, not assigned: a key such as `__proto__` is one like any other.
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
