import type { CaptureFilter } from '../../model/captureFilter';
import type { BinaryDataStore } from '../../stores/binaryDataStore';
import type { BulkTarget } from './bulkAction';
import { readTargetPages } from './targetPages';

/**
 * Counts the current matches of a filter and restricts the target to them. Data that is captured
 * later is excluded, because the user hasn't agreed to change or delete it. Throws `FleetError`.
 */
export async function countTarget(
  store: BinaryDataStore,
  filter: CaptureFilter,
  signal?: AbortSignal,
): Promise<BulkTarget & { readonly kind: 'filter' }> {
  const newest = await store.page({ filter, order: 'newestFirst', limit: 1 }, signal);
  const [item] = newest.items;
  const end = Math.min(filter.end ?? Infinity, item ? item.at + 1 : Infinity);
  return {
    kind: 'filter',
    filter: Number.isFinite(end) ? { ...filter, end } : filter,
    count: newest.total.count,
  };
}

/**
 * Returns the items' tags in alphabetical order. Reads the items again, because another user might
 * have added a tag since they were listed. Throws `FleetError`.
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
