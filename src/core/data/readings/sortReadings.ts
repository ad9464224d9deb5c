import { atOnce } from '../../../base/slices';
import type { Reading } from '../../model/reading';
import type { DataValue } from '../tables/dataValue';
import { SortKeys } from '../tables/sortKeys';

/** What a reading is sorted by; undefined when it has no such value. */
export type SortKey = (reading: Reading) => DataValue | undefined;

/** The places of readings in the order of a key. */
export function sortedPlaces(
  readings: readonly Reading[],
  keyOf: SortKey,
  descending: boolean,
): Uint32Array {
  const keys = new SortKeys();
  for (const reading of readings) keys.add(keyOf(reading));
  return atOnce(keys.order(descending));
}
