import type { JsonValue } from '@bufbuild/protobuf';
import type { Reading } from '../../model/reading';
import { jsonText, kindOf } from './cellText';

/** What a reading is sorted by; undefined when it has no such value. */
export type SortKey = (reading: Reading) => JsonValue | undefined;

/** Values of different kinds stand apart, in this order. */
const KIND_ORDER = { number: 0, text: 1, boolean: 2, json: 3, null: 4 } as const;

const NAN_LAST = Number.MAX_VALUE;

interface Keyed {
  readonly place: number;
  readonly kind: number;
  readonly key: number | string;
}

/**
 * The places of readings in the order of a key: numbers by size, texts as people sort them (`arm-2` before
 * `arm-10`). Readings without a value come last in both directions, and equal ones keep their order.
 */
export function sortedPlaces(
  readings: readonly Reading[],
  keyOf: SortKey,
  descending: boolean,
): readonly number[] {
  const collator = new Intl.Collator('en', { numeric: true });
  const keyed: Keyed[] = [];
  const without: number[] = [];
  readings.forEach((reading, place) => {
    const value = keyOf(reading);
    if (value === undefined) without.push(place);
    else keyed.push({ place, kind: KIND_ORDER[kindOf(value)], key: keyTo(value) });
  });
  const direction = descending ? -1 : 1;
  keyed.sort((a, b) => direction * compare(a, b, collator));
  return [...keyed.map(({ place }) => place), ...without];
}

function keyTo(value: JsonValue): number | string {
  if (typeof value === 'number') return Number.isNaN(value) ? NAN_LAST : value;
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'string' ? value : jsonText(value);
}

function compare(a: Keyed, b: Keyed, collator: Intl.Collator): number {
  if (a.kind !== b.kind) return a.kind - b.kind;
  if (typeof a.key === 'number' && typeof b.key === 'number') return a.key - b.key;
  return collator.compare(String(a.key), String(b.key));
}
