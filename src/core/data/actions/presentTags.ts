import type { BinaryDataStore } from '../../stores/binaryDataStore';
import type { BulkTarget } from './bulkAction';
import { readTargetPages } from './targetPages';

/**
 * Returns the tags of the items in alphabetical order. Reads the items again, because another user
 * might have added a tag since they were listed. Throws `FleetError`.
 */
export async function presentTags(
  store: BinaryDataStore,
  target: BulkTarget,
): Promise<readonly string[]> {
  if (target.kind === 'filter') return store.listTags(target.filter);
  const tags = new Set<string>();
  for await (const { items } of readTargetPages(
    store,
    target,
    true,
    new AbortController().signal,
  )) {
    for (const tag of items.flatMap((item) => item.tags)) tags.add(tag);
  }
  return [...tags].sort();
}
