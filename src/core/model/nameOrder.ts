/** Longer numbers than any name has; shorter ones are filled up to it, so that text order counts. */
const NUMBER_WIDTH = 16;

interface Named {
  readonly name: string;
}

/**
 * A text whose plain order is the order people expect: `arm-2` before `arm-10`, whatever the case,
 * and letters with marks beside those without. Comparing keys is many times faster than a collator.
 */
function orderKey({ name }: Named): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/\d+/g, (digits) => digits.padStart(NUMBER_WIDTH, '0'));
}

/** The items in name order; items of equal names stay in their order. */
export function inNameOrder<T extends Named>(items: readonly T[]): readonly T[] {
  const keyed = items.map((item) => ({ item, key: orderKey(item) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  return keyed.map(({ item }) => item);
}
