import type { CaptureFilter } from '../../model/captureFilter';
import type { BinaryDataStore } from '../../stores/binaryDataStore';
import type { BulkTarget } from './bulkAction';

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
