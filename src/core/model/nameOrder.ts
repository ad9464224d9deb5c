/**
 * Width to which numbers in names are padded, so that they sort correctly as text. No number in a
 * name is longer.
 */
const NUMBER_WIDTH = 16;

interface Named {
  readonly name: string;
}

/**
 * Returns a key whose text order is the natural order of names: `arm-2` before `arm-10`, ignoring
 * case, and with letters with diacritics next to those without. Comparing keys is many times faster
 * than using a collator.
 */
function orderKey({ name }: Named): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/\d+/g, (digits) => digits.padStart(NUMBER_WIDTH, '0'));
}

/** Returns the items sorted by name. The sort is stable. */
export function inNameOrder<T extends Named>(items: readonly T[]): readonly T[] {
  const keyed = items.map((item) => ({ item, key: orderKey(item) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  return keyed.map(({ item }) => item);
}
