import type { DataFilter } from '../../../src/shared/data/dataFilter';

/** Returns a text that is equal for equal filters, regardless of who created them. */
export function toFilterKey(filter: DataFilter): string {
  return JSON.stringify(
    Object.entries(filter).toSorted(([one], [other]) => one.localeCompare(other)),
  );
}
