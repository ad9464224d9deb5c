import { atOnce } from '../../../base/slices';
import type { Reading } from '../../model/reading';
import type { DataValue } from '../tables/dataValue';
import { SortKeys } from '../tables/sortKeys';

/** Returns the value by which a reading is sorted; undefined if the reading has no such value. */
export type SortKey = (reading: Reading) => DataValue | undefined;

/** Returns the indexes of readings, sorted by a key. */
export function sortReadingIndexes(
  readings: readonly Reading[],
  toKey: SortKey,
  descending: boolean,
): Uint32Array {
  const keys = new SortKeys();
  for (const reading of readings) keys.add(toKey(reading));
  return atOnce(keys.order(descending));
}
