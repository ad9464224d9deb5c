import type { DataFilter } from '../../../src/shared/data/dataFilter';

/** Returns a key that is identical for equal filters, regardless of property order. */
export function toFilterKey(filter: DataFilter): string {
  return JSON.stringify(
    Object.entries(filter).toSorted(([one], [other]) => one.localeCompare(other)),
  );
}
