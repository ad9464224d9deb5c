import type { DataFilter } from '../../../src/shared/data/dataFilter';

/** Returns a key that is equal for equal filters, regardless of the order of their properties. */
export function toFilterKey(filter: DataFilter): string {
  return JSON.stringify(
    Object.entries(filter).toSorted(([one], [other]) => one.localeCompare(other)),
  );
}
